// Random commands of all types, alone and in pipelined batches and transactions, on a simulated
// node whose records a shadow applies (world/shadow.h): the record of each hold, applied to a copy,
// gives the same values and times.
#include <gtest/gtest.h>

#include <string>

#include "resp/words.h"
#include "sim/random_commands.h"
#include "world/sim_node.h"

namespace slotcar::sim {
namespace {

#if defined(SLOTCAR_SANITIZED)
constexpr std::uint64_t kSeeds = 10;
#else
constexpr std::uint64_t kSeeds = 60;
#endif
constexpr int kBatches = 150;

class Applying {
 public:
  explicit Applying(std::uint64_t seed) : dice_(seed ^ 0x6170706c), world_(seed, options()) {}

  void run() {
    RandomCommands commands(dice_, "k:", Ends::yes);
    for (int i = 0; i < kBatches && !testing::Test::HasFailure(); ++i) {
      std::vector<world::Words> batch(static_cast<std::size_t>(dice_.between(1, 12)));
      for (world::Words& words : batch) words = commands.next();
      if (dice_.below(10) == 0) batch[0] = {"SELECT", std::to_string(dice_.below(3))};
      if (dice_.below(200) == 0) batch.back() = {"FLUSHDB"};
      if (dice_.below(100) == 0) batch.back() = {"SWAPDB", "0", std::to_string(dice_.below(3))};
      if (dice_.below(4) == 0) {
        batch.insert(batch.begin(), {"MULTI"});
        batch.push_back({"EXEC"});
      }
      play(batch);
      if (dice_.below(10) == 0) world_.let_pass(20 * runtime::kMillisecond);
    }
  }
  std::uint64_t records() { return world_.shadow()->records(); }
  std::uint64_t errors() const { return errors_; }
  std::uint64_t replies() const { return replies_; }

 private:
  world::SimNodeOptions options() {
    world::SimNodeOptions made;
    made.directory = "data";
    made.shadowed = true;
    made.shards = 1u << dice_.below(5);
    return made;
  }

  void play(const std::vector<world::Words>& batch) {
    std::string bytes;
    std::string shown;
    for (const world::Words& words : batch) {
      bytes += world::encode(words);
      for (const std::string& word : words) shown += resp::quote_word(word) + " ";
      shown += "\n";
    }
    world_.send("", bytes);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const world::Answer answer = world_.receive("");
      ASSERT_EQ(answer.kind, world::Answer::Kind::reply) << shown;
      ++replies_;
      errors_ += answer.value.is_error();
    }
    for (const std::string& complaint : world_.take_complaints()) {
      ADD_FAILURE() << complaint << "\nafter\n" << shown;
    }
  }

  runtime::SimDice dice_;
  world::SimNodeWorld world_;
  std::uint64_t errors_ = 0;
  std::uint64_t replies_ = 0;
};

TEST(Applying, TheRecordOfEachHoldGivesTheSameValues) {
  std::uint64_t records = 0;
  std::uint64_t errors = 0;
  std::uint64_t replies = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    Applying applying(seed);
    applying.run();
    records += applying.records();
    errors += applying.errors();
    replies += applying.replies();
    if (HasFailure()) return;
  }
  EXPECT_GT(records, replies / 20);
  // (Most refusals are of a wrong type or a group that is not there.)
  EXPECT_LT(errors, replies / 2);
}

}  // namespace
}  // namespace slotcar::sim
