// BITOP of long strings works on pins and swaps its result in: no client sees a result of sources
// that had changed meanwhile.
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <string>
#include <thread>

#include "resp/format.h"
#include "world/live_node.h"

namespace slotcar::concurrency {
namespace {

constexpr int kBytes = 1 << 20;

// Two strings are changed together, so that they are always equal; their XOR is all zeros.
TEST(BitOperation, SourcesAreOfOneMoment) {
  world::LiveNode live;
  world::LiveClient client(live.port());
  const std::string last = std::to_string(kBytes - 1);
  client.run({"SETRANGE", "a", last, "x"});
  client.run({"SETRANGE", "b", last, "x"});
  std::atomic<bool> done = false;
  std::thread writer([&] {
    world::LiveClient other(live.port());
    for (int i = 0; !done; ++i) {
      const std::string offset = std::to_string(i * 7919 % kBytes);
      const std::string text(1, static_cast<char>('a' + i % 26));
      other.run({"MULTI"});
      other.run({"SETRANGE", "a", offset, text});
      other.run({"SETRANGE", "b", offset, text});
      other.run({"EXEC"});
    }
  });
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(resp::format(client.run({"BITOP", "XOR", "d", "a", "b"})),
              ":" + std::to_string(kBytes));
    ASSERT_EQ(resp::format(client.run({"BITCOUNT", "d"})), ":0") << i;
  }
  done = true;
  writer.join();
}

// Every change of the source also removes the copy; so an existing copy was made after the last
// change, and must be equal to the source. In each round there are a few changes concurrent with
// one BITOP; the result is checked when all of them are done.
TEST(BitOperation, AResultOfOldSourcesIsNotSwappedIn) {
  constexpr int kRounds = 200;
  world::LiveNode live;
  world::LiveClient client(live.port());
  client.run({"SETRANGE", "a", std::to_string(kBytes - 1), "x"});
  std::barrier<> edge(2);
  std::thread writer([&] {
    world::LiveClient other(live.port());
    for (int round = 0; round < kRounds; ++round) {
      edge.arrive_and_wait();
      for (int i = 0; i < round % 8; ++i) {
        const std::string text = std::to_string(round * 8 + i);
        other.run({"MULTI"});
        other.run({"SETRANGE", "a", std::to_string((round * 8 + i) * 7919 % kBytes), text});
        other.run({"DEL", "copy"});
        other.run({"EXEC"});
      }
      edge.arrive_and_wait();
    }
  });
  int seen = 0;
  for (int round = 0; round < kRounds; ++round) {
    edge.arrive_and_wait();
    client.run({"BITOP", "AND", "copy", "a", "a"});
    edge.arrive_and_wait();
    if (resp::format(client.run({"EXISTS", "copy"})) == ":0") continue;  // the changes came later
    ++seen;
    client.run({"BITOP", "XOR", "difference", "a", "copy"});
    EXPECT_EQ(resp::format(client.run({"BITCOUNT", "difference"})), ":0") << round;
  }
  writer.join();
  EXPECT_GE(seen, kRounds / 8);  // the rounds without changes, at the least
}

}  // namespace
}  // namespace slotcar::concurrency
