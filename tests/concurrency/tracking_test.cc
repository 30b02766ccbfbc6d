// CLIENT TRACKING with real threads: a cache that listens is never stale.
//
// Each key has one writer, which publishes the version that the server has acknowledged. A reader
// caches what it has read until it is invalidated. It notes the acknowledged version, sends a PING
// on its own connection, and after the PONG must have nothing older: either the invalidation has
// come before the PONG, or its cached value is at least that new.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/numbers.h"
#include "concurrency/scenario.h"

namespace slotcar::concurrency {
namespace {

#if defined(SLOTCAR_SANITIZED)
constexpr int kRounds = 400;
#else
constexpr int kRounds = 3000;
#endif
constexpr int kKeys = 6;     // the last is a long list, which is read on the slow lane
constexpr int kReaders = 4;  // more than workers would be no other test
constexpr int kWriters = 2;
constexpr int kLongList = 1500;

struct Shape {
  const char* name;
  std::uint32_t shards;
  std::vector<std::string> tracking;
};

void PrintTo(const Shape& shape, std::ostream* out) {
  *out << shape.name;
}

using Acknowledged = std::array<std::atomic<std::int64_t>, kKeys>;

std::string key_name(int key) {
  return "key:" + std::to_string(key);
}
bool is_list(int key) {
  return key == kKeys - 1;
}

// One connection and what it remembers.
class Reader {
 public:
  Reader(std::uint16_t port, const Acknowledged& acknowledged, unsigned seed)
      : client_(port), acknowledged_(acknowledged), dice_(seed) {}

  std::string begin(const std::vector<std::string>& tracking) {
    client_.run({"HELLO", "3"});
    const resp::Value reply = client_.run(tracking);
    return reply.is_error() ? reply.text : "";
  }

  // The complaint, or nothing.
  std::string round() {
    const int key = static_cast<int>(dice_() % kKeys);
    const std::int64_t least = acknowledged_[static_cast<std::size_t>(key)].load();
    if (dice_() % 2 == 0 || !kept_.contains(key_name(key))) {
      read(key);
    } else {
      client_.send(world::encode({"PING"}));
      reply();
    }
    const auto kept = kept_.find(key_name(key));
    if (kept == kept_.end() || kept->second >= least) return "";
    return key_name(key) + " is kept as " + std::to_string(kept->second) + " though " +
           std::to_string(least) + " was acknowledged before";
  }

 private:
  void read(int key) {
    const unsigned way = dice_() % 4;
    if (is_list(key)) {
      client_.send(world::encode({"LRANGE", key_name(key), "0", "-1"}));
      keep(key, reply().items[0]);
    } else if (way == 0) {
      client_.send(world::encode({"MULTI"}) + world::encode({"GET", key_name(key)}) +
                   world::encode({"EXEC"}));
      reply();
      reply();
      keep(key, reply().items[0]);
    } else if (way == 1) {
      // Declared slow: it runs on another thread, and its reply comes later.
      client_.send(world::encode({"SLOW.MGET", key_name(key)}));
      keep(key, reply().items[0]);
    } else {
      client_.send(world::encode({"GET", key_name(key)}) + world::encode({"PING"}));
      keep(key, reply());
      reply();
    }
  }

  void keep(int key, const resp::Value& value) {
    const auto number = base::parse_int64(value.text);
    if (number) kept_[key_name(key)] = *number;
  }

  // The next reply; keys invalidated before it are forgotten at once.
  resp::Value reply() {
    for (;;) {
      world::Answer answer = client_.receive();
      EXPECT_EQ(answer.kind, world::Answer::Kind::reply) << world::describe(answer);
      if (answer.value.kind != resp::Value::Kind::push) return std::move(answer.value);
      if (answer.value.items[1].is_null()) kept_.clear();
      for (const resp::Value& stale : answer.value.items[1].items) kept_.erase(stale.text);
    }
  }

  world::LiveClient client_;
  const Acknowledged& acknowledged_;
  std::minstd_rand dice_;
  std::map<std::string, std::int64_t> kept_;
};

void write_all(std::uint16_t port, Acknowledged& acknowledged, int writer,
               const std::atomic<bool>& stop) {
  world::LiveClient client(port);
  for (std::int64_t version = 2; !stop.load(); ++version) {
    for (int key = writer; key < kKeys; key += kWriters) {
      const std::string text = std::to_string(version);
      if (is_list(key)) {
        client.run({"LSET", key_name(key), "0", text});
      } else if (version % 3 == 0) {
        client.run({"MULTI"});
        client.run({"SET", key_name(key), text});
        client.run({"EXEC"});
      } else {
        client.run({"SET", key_name(key), text});
      }
      acknowledged[static_cast<std::size_t>(key)].store(version);
    }
  }
}

class Tracking : public testing::TestWithParam<Shape> {};

TEST_P(Tracking, WhatIsKeptIsNeverOlderThanWhatWasAcknowledgedBeforeARoundTrip) {
  world::LiveOptions options;
  options.shards = GetParam().shards;
  options.more_commands = slow_commands();
  world::LiveNode live(options);
  Acknowledged acknowledged{};
  {
    world::LiveClient client(live.port());
    for (int key = 0; key + 1 < kKeys; ++key) client.run({"SET", key_name(key), "1"});
    world::Words push{"RPUSH", key_name(kKeys - 1), "1"};
    push.resize(kLongList, "x");
    client.run(push);
  }
  std::atomic<bool> stop{false};
  std::vector<std::thread> writers;
  for (int i = 0; i < kWriters; ++i) {
    writers.emplace_back(write_all, live.port(), std::ref(acknowledged), i, std::cref(stop));
  }
  std::array<std::string, kReaders> complaints;
  std::vector<std::thread> readers;
  for (int i = 0; i < kReaders; ++i) {
    readers.emplace_back([&, i] {
      Reader reader(live.port(), acknowledged, static_cast<unsigned>(i) + 1);
      std::string& complaint = complaints[static_cast<std::size_t>(i)];
      complaint = reader.begin(GetParam().tracking);
      for (int n = 0; n < kRounds && complaint.empty(); ++n) complaint = reader.round();
    });
  }
  for (std::thread& reader : readers) reader.join();
  stop.store(true);
  for (std::thread& writer : writers) writer.join();
  for (const std::string& complaint : complaints) EXPECT_EQ(complaint, "");
}

INSTANTIATE_TEST_SUITE_P(
    All, Tracking,
    testing::Values(Shape{"by_key", 64, {"CLIENT", "TRACKING", "ON"}},
                    Shape{"by_key_few_shards", 4, {"CLIENT", "TRACKING", "ON", "NOLOOP"}},
                    Shape{
                        "by_prefix", 64, {"CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", "key:"}}),
    [](const testing::TestParamInfo<Shape>& shape) { return shape.param.name; });

}  // namespace
}  // namespace slotcar::concurrency
