// What is counted as memory comes back to what an empty node has: after random commands of all
// types, several clients at once, expiry, eviction, snapshots, flushes and swaps. A byte that is
// counted once and not taken back, or twice, would make `maxmemory` mean something else after a
// month.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/random_commands.h"
#include "world/sim_node.h"

namespace slotcar::sim {
namespace {

using runtime::kMillisecond;
using runtime::kSecond;
using world::encode;
using world::Words;

#if defined(SLOTCAR_SANITIZED)
constexpr std::uint64_t kSeeds = 5;
#else
constexpr std::uint64_t kSeeds = 25;
#endif
constexpr int kRounds = 60;
constexpr std::size_t kClients = 4;

class CountedMemory {
 public:
  explicit CountedMemory(std::uint64_t seed)
      : dice_(seed ^ 0x6d656d6f), world_(seed, options()), commands_(dice_, "k:", Ends::yes) {}

  void run() {
    const node::Node::MemoryUse before = at_rest();
    if (dice_.below(2) == 0) {
      command({"CONFIG", "SET", "maxmemory", "200kb"});
      command({"CONFIG", "SET", "maxmemory-policy", "allkeys-lru"});
    }
    if (dice_.below(2) == 0) command({"CONFIG", "SET", "hash-max-listpack-entries", "3"});
    for (int i = 0; i < kRounds; ++i) round();
    most_ = world_.node().memory_use().dataset;
    for (std::size_t i = 0; i < kClients; ++i) world_.disconnect(name(i));
    command({"CONFIG", "SET", "maxmemory", "0"});
    command({"FLUSHALL"});
    const node::Node::MemoryUse after = at_rest();
    EXPECT_EQ(after.dataset, before.dataset);
    EXPECT_EQ(after.clients, before.clients);
    EXPECT_EQ(after.tracking, before.tracking);
    EXPECT_EQ(after.log_backlog, before.log_backlog);
    EXPECT_EQ(before.dataset, 0);
  }
  std::int64_t most() const { return most_; }

 private:
  world::SimNodeOptions options() {
    world::SimNodeOptions made;
    made.directory = "data";
    made.shards = 1u << dice_.below(6);
    return made;
  }
  static std::string name(std::size_t client) { return "client" + std::to_string(client); }

  void command(const Words& words) {
    const world::Answer answer = world_.run("admin", words);
    EXPECT_EQ(answer.kind, world::Answer::Kind::reply);
    EXPECT_FALSE(answer.value.is_error()) << describe(answer);
  }

  // With one connection that has said the same before and after.
  node::Node::MemoryUse at_rest() {
    command({"DBSIZE"});
    world_.let_pass(5 * kSecond);
    command({"DBSIZE"});
    world_.let_pass(5 * kSecond);
    return world_.node().memory_use();
  }

  // Each client sends a batch, all at once.
  void round() {
    std::vector<std::size_t> sent(kClients);
    for (std::size_t i = 0; i < kClients; ++i) {
      std::vector<Words> batch(static_cast<std::size_t>(dice_.between(1, 10)));
      for (Words& words : batch) words = commands_.next();
      if (dice_.below(10) == 0) batch[0] = special();
      if (dice_.below(4) == 0) {
        batch.insert(batch.begin(), {"MULTI"});
        batch.push_back({"EXEC"});
      }
      std::string bytes;
      for (const Words& words : batch) bytes += encode(words);
      world_.send(name(i), bytes);
      sent[i] = batch.size();
    }
    for (std::size_t i = 0; i < kClients; ++i) {
      for (std::size_t j = 0; j < sent[i]; ++j) {
        ASSERT_EQ(world_.receive(name(i)).kind, world::Answer::Kind::reply);
      }
    }
    if (dice_.below(5) == 0) world_.let_pass(30 * kMillisecond);
  }

  Words special() {
    switch (dice_.below(7)) {
      case 0:
        return {"SELECT", std::to_string(dice_.below(3))};
      case 1:
        return {"FLUSHDB"};
      case 2:
        return {"SWAPDB", "0", std::to_string(dice_.below(3))};
      case 3:
        return {"BGSAVE", "SCHEDULE"};
      case 4:
        return {"SET", "k:long", std::string(static_cast<std::size_t>(dice_.below(300'000)), 'x')};
      case 5:
        return {"APPEND", "k:long", std::string(static_cast<std::size_t>(dice_.below(9'000)), 'x')};
      default:
        return {"WATCH", "k:long"};
    }
  }

  runtime::SimDice dice_;
  world::SimNodeWorld world_;
  RandomCommands commands_;
  std::int64_t most_ = 0;
};

TEST(CountedMemory, IsThatOfAnEmptyNodeAfterAFlush) {
  std::int64_t most = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    CountedMemory counted(seed);
    counted.run();
    most = std::max(most, counted.most());
  }
  EXPECT_GT(most, 100'000);  // there was something to count
}

}  // namespace
}  // namespace slotcar::sim
