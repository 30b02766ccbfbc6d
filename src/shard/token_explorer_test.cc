// Every interleaving of three calls on three shards: the token and the scheduler's own steps over
// it (shard/token_steps.h), with the explorer's atomics.
#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "shard/explorer.h"
#include "shard/testing/token_world.h"
#include "shard/token_steps.h"

namespace slotcar::shard {
namespace {

// The explorer is one thread that changes stacks; the thread sanitizer has nothing to find in it
// and does not follow it.
#if defined(__SANITIZE_THREAD__)
constexpr bool kThreadSanitizer = true;
#else
constexpr bool kThreadSanitizer = false;
#endif
// The address sanitizer makes changing stacks dear: there, two shards must do.
#if defined(__SANITIZE_ADDRESS__)
constexpr int kShardsExplored = 2;
#else
constexpr int kShardsExplored = 3;
#endif

}  // namespace

bool TokenWorld::gain_all(Thread& thread, Call& call) {
  for (int i = kShards - 1; i >= 0; --i) {
    const ShardId id{static_cast<std::uint16_t>(i)};
    if (!wants(call, i) || call.needs().contains(id)) continue;
    if (try_gain(*this, thread, call, id)) {
      ++gained_;
      continue;
    }
    ++gains_failed_;
    steps_.release(thread, call);
    if (++call.tries == 1) {
      call.needs().add(id);
    } else {
      call.needs().clear();
      for (int each = 0; each < kShards; ++each) call.needs().add(each);
    }
    return false;
  }
  return true;
}

void TokenWorld::run_batch(Thread& thread, Call& batch) {
  std::array<Call*, kShards + 1> calls{};
  std::size_t count = 0;
  const auto add = [&](int shard) {
    Call& call = memory_.batch_calls[count];
    call.id = batch.id;
    call.needs().add(shard);
    calls[count++] = &call;
  };
  for (int i = 0; i < kShards; ++i) {
    const int shard = scenario_.batch_descends ? kShards - 1 - i : i;
    if (scenario_.needs[scenario_.batch] >> shard & 1) add(shard);
  }
  const int first = calls[0]->needs()[0].value;
  if (scenario_.batch_repeats) add(first);
  run_batch(thread, std::span(calls).first(count), 1);
  if (scenario_.batch_repeats) {
    // Another one: what it does not get now it must not take for its own.
    Call& again = memory_.batch_calls[kShards + 1];
    again.id = batch.id;
    again.needs().add(first);
    calls[0] = &again;
    run_batch(thread, std::span(calls).first(1), 2);
  }
  batch.ran = 1;
}

void TokenWorld::run_batch(Thread& thread, std::span<Call* const> calls, std::uint64_t which) {
  const Mark mark(thread, {kBatch, which});
  const std::size_t ready = steps_.take_batch(thread, calls);
  for (Call* call : calls.first(ready)) check_run(thread, *call);
  thread.in_batch_end = 1;
  steps_.give_batch(thread);
  thread.in_batch_end = 0;
  steps_.drain(thread);
}

void TokenWorld::saw(const Thread& thread, TokenEvent event, const Shard& shard, const Call* call) {
  counts_.add(event);
  switch (event) {
    case TokenEvent::took:
      take(shard, *call);
      break;
    case TokenEvent::handed_on:
      take(shard, *call);
      batch_handed_on_ += thread.in_batch_end != 0;
      break;
    case TokenEvent::gives:
      memory_.owners[shard.index] = 0;
      break;
    case TokenEvent::gave:
      memory_.slow[shard.index] = false;
      break;
    case TokenEvent::next:
      if (memory_.queued[shard.index].pop() != call->id) {
        explorer().fail("a call was overtaken in a line");
      }
      break;
    case TokenEvent::passed_over:
      if (call->tokens().held != 0) explorer().fail("a call that holds tokens lost its turn");
      break;
    case TokenEvent::turned_slow:
      memory_.slow[shard.index] = true;
      break;
    case TokenEvent::met_slow:
      if (!memory_.slow[shard.index]) {
        explorer().fail("a call gives way to a holder that is not slow");
      }
      break;
    default:
      break;
  }
}

std::uint64_t TokenWorld::digest() const {
  std::uint64_t hash = 0;
  auto add = [&](std::uint64_t value) { hash = Explorer::mix(hash, value); };
  auto add_line = [&](const SmallLine& line) {
    add(line.ids[0] | line.ids[1] << 8 | line.ids[2] << 16 | line.size << 24);
  };
  for (int i = 0; i < kShards; ++i) {
    for (std::uint64_t word : words_of(i)) add(word);
    add(memory_.owners[i] * 2u + memory_.slow[i]);
    add(reinterpret_cast<std::uintptr_t>(memory_.shards[i].batch_owner.load()));
    add_line(memory_.queued[i]);
  }
  for (const Call& call : memory_.calls) {
    const TokenTally& tally = call.tokens();
    add(reinterpret_cast<std::uintptr_t>(call.queue_next));
    add(tally.held | tally.retreats << 4 | tally.returner << 8 | tally.on_the_spot << 9 |
        call.ran << 10 | call.tries << 12);
    std::uint64_t needs = 0;
    for (const ShardId id : call.needs()) needs |= std::uint64_t{1} << id.value;
    add(needs);
  }
  for (const Call& call : memory_.batch_calls) add(call.needs().size() * 2 + call.ran);
  for (int i = 0; i < fibers(); ++i) {
    const Thread& thread = memory_.threads[i];
    add_line(memory_.inboxes[i]);
    add(reinterpret_cast<std::uintptr_t>(thread.ready.first()));
    add(thread.draining * 2u + static_cast<unsigned>(thread.in_batch_end));
    for (const Shard* shard : thread.batch_tokens) add(shard->index);
  }
  return hash;
}

// Who stands in line is written down in the very step in which the token's word says so.
void TokenWorld::on_write(const void* atomic, std::uint64_t old, std::uint64_t now) {
  constexpr std::uint64_t kBits = 3;
  for (int shard = 0; shard < kShards; ++shard) {
    const Token& token = memory_.shards[shard].token;
    if (atomic < &token || atomic >= &token + 1) continue;
    SmallLine& line = memory_.queued[shard];
    if ((now == 0 || old == 0) && line.size != 0) {
      explorer().fail(now == 0 ? "a token became free while a call stood in its line"
                               : "a newcomer took a token past a call in its line");
    }
    const std::uint64_t node = now & ~kBits;
    if (node == 0 || node == (old & ~kBits)) return;
    const auto* queued = static_cast<const Call*>(reinterpret_cast<const Queued*>(node));
    if (!line.push(queued->id)) explorer().fail("a call stands in line twice");
    if (memory_.slow[shard]) must_not_hold(*queued);
  }
}

void TokenWorld::at_end() {
  for (const Call& call : memory_.calls) {
    if (call.ran == 0) explorer().fail("a call never ran: nobody can go on");
    if (call.tokens().held != 0) explorer().fail("a call ended with a token in its hand");
  }
  for (int shard = 0; shard < kShards; ++shard) {
    for (std::uint64_t word : words_of(shard)) {
      if (word != 0) explorer().fail("at the end a token is not free or its line not empty");
    }
    if (memory_.owners[shard] != 0) explorer().fail("at the end a token has an owner");
  }
  for (int i = 0; i < fibers(); ++i) {
    if (!memory_.threads[i].ready.empty()) explorer().fail("a call is left on a thread's list");
  }
}

namespace {

std::string describe(const Scenario& scenario) {
  std::string text = "needs";
  for (unsigned needs : scenario.needs) text += " " + std::to_string(needs);
  text += ", gains";
  for (unsigned gains : scenario.gains) text += " " + std::to_string(gains);
  return text + ", slow " + std::to_string(scenario.slow) + ", batch " +
         std::to_string(scenario.batch) + (scenario.batch_descends ? " descending" : "") +
         (scenario.batch_repeats ? " repeating" : "") + ", hands on " +
         std::to_string(scenario.hands_on) + ", runs_max " + std::to_string(scenario.runs_max) +
         ", retreats_max " + std::to_string(scenario.retreats_max);
}

// A campaign: many scenarios, what they showed, and what they met on the way.
class Campaign {
 public:
  // False: a scenario has failed, and more of them would only repeat it.
  bool run(const Scenario& scenario) {
    TokenWorld world(scenario);
    const Explorer::Report report = Explorer::explore(world, scenario.spurious);
    ++scenarios_;
    states_ += report.states;
    executions_ += report.executions;
    interleavings_ += report.interleavings;
    counts.add(world.counted());
    batch_handed_on += world.batch_handed_on();
    moved_to_slow_thread += world.moved_to_slow_thread();
    gained += world.gained();
    gains_failed += world.gains_failed();
    if (!report.failure.empty()) {
      ADD_FAILURE() << describe(scenario) << ": " << report.failure;
      return false;
    }
    return true;
  }
  void print(const char* name) const {
    const auto elapsed = std::chrono::steady_clock::now() - begin_;
    std::printf(
        "[ explored ] %s: %d scenarios, %llu states, %.3g interleavings (%llu executions, "
        "%.2f s)\n",
        name, scenarios_, static_cast<unsigned long long>(states_), interleavings_,
        static_cast<unsigned long long>(executions_),
        std::chrono::duration<double>(elapsed).count());
  }
  std::uint64_t of(TokenEvent event) const { return counts.of(event); }
  TokenEventCounts counts;
  std::uint64_t batch_handed_on = 0;
  std::uint64_t moved_to_slow_thread = 0;
  std::uint64_t gained = 0;
  std::uint64_t gains_failed = 0;

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  int scenarios_ = 0;
  std::uint64_t states_ = 0;
  std::uint64_t executions_ = 0;
  double interleavings_ = 0;
};

// Whether no call is alone: each is joined with the others by shards in common.
bool is_connected(const std::array<unsigned, kCalls>& needs) {
  const bool ab = (needs[0] & needs[1]) != 0;
  const bool bc = (needs[1] & needs[2]) != 0;
  const bool ac = (needs[0] & needs[2]) != 0;
  return ab + bc + ac >= 2;
}

// All ways in which three calls overlap. Threads are alike, so the order of the calls is all one;
// with `ordered` it is not, because the first of them is special. Only the order of shards matters,
// not their numbers: what leaves out a shard is what leaves out the last.
std::vector<Scenario> all_overlaps(bool ordered, int shards = kShardsExplored) {
  std::vector<Scenario> all;
  const unsigned end = 1u << shards;
  for (unsigned a = 1; a < end; ++a) {
    for (unsigned b = ordered ? 1 : a; b < end; ++b) {
      for (unsigned c = b; c < end; ++c) {
        Scenario scenario;
        scenario.needs = {a, b, c};
        const unsigned used = a | b | c;
        if ((used & (used + 1)) == 0 && is_connected(scenario.needs)) all.push_back(scenario);
      }
    }
  }
  return all;
}

class TokenExplorer : public ::testing::Test {
 protected:
  void SetUp() override {
    if (kThreadSanitizer) GTEST_SKIP() << "fibers of one thread: nothing for this sanitizer";
  }
  Campaign campaign_;
};

TEST_F(TokenExplorer, CallsThatOverlap) {
  for (const Scenario& scenario : all_overlaps(false)) {
    if (!campaign_.run(scenario)) return;
  }
  campaign_.print("three calls");
  EXPECT_GT(campaign_.of(TokenEvent::queued), 0u);
  EXPECT_GT(campaign_.of(TokenEvent::handed_on), 0u);
}

TEST_F(TokenExplorer, CallsThatAreHandedToOtherThreads) {
  for (Scenario scenario : all_overlaps(false)) {
    scenario.runs_max = 0;
    if (!campaign_.run(scenario)) return;
  }
  campaign_.print("three calls, handed over");
  EXPECT_GT(campaign_.of(TokenEvent::handed_over), 0u);
}

TEST_F(TokenExplorer, OneThreadHandsAllOn) {
  for (Scenario scenario : all_overlaps(true)) {
    scenario.hands_on = 0;
    if (!campaign_.run(scenario)) return;
  }
  campaign_.print("three calls, one thread hands on");
  EXPECT_GT(campaign_.of(TokenEvent::handed_over), 0u);
  EXPECT_GT(campaign_.of(TokenEvent::run_for_other), 0u);
}

TEST_F(TokenExplorer, CompareExchangeThatFailsForNoReason) {
  for (Scenario scenario : all_overlaps(false, 2)) {
    scenario.spurious = 1;
    if (!campaign_.run(scenario)) return;
  }
  campaign_.print("three calls, spurious failures");
  EXPECT_GT(campaign_.of(TokenEvent::handed_on), 0u);
}

TEST_F(TokenExplorer, OneSlowHolder) {
  for (Scenario scenario : all_overlaps(true)) {
    scenario.slow = 1;
    if (!campaign_.run(scenario)) return;
  }
  campaign_.print("one slow holder");
  EXPECT_GT(campaign_.moved_to_slow_thread, 0u);
  EXPECT_GT(campaign_.of(TokenEvent::met_slow), 0u);
  EXPECT_GT(campaign_.of(TokenEvent::sent_back), 0u);
  EXPECT_GT(campaign_.of(TokenEvent::returned_at_once), 0u);
  EXPECT_GT(campaign_.of(TokenEvent::passed_over), 0u);
}

TEST_F(TokenExplorer, OneSlowHolderAndHandedOver) {
  for (Scenario scenario : all_overlaps(true, 2)) {
    scenario.slow = 1;
    scenario.runs_max = 0;
    if (!campaign_.run(scenario)) return;
  }
  campaign_.print("one slow holder, handed over");
  EXPECT_GT(campaign_.of(TokenEvent::handed_over), 0u);
  EXPECT_GT(campaign_.of(TokenEvent::met_slow), 0u);
}

TEST_F(TokenExplorer, CallsThatMayNotRetreatAnyMore) {
  for (Scenario scenario : all_overlaps(true)) {
    scenario.slow = 1;
    scenario.retreats_max = 0;
    if (!campaign_.run(scenario)) return;
  }
  campaign_.print("one slow holder, no retreat left");
  EXPECT_GT(campaign_.of(TokenEvent::waits_holding), 0u);
  EXPECT_EQ(campaign_.of(TokenEvent::retreated), 0u);
}

TEST_F(TokenExplorer, TwoSlowHoldersAndOneRetreat) {
  for (Scenario scenario : all_overlaps(true, 2)) {
    scenario.slow = 6;
    scenario.retreats_max = 1;
    if (!campaign_.run(scenario)) return;
  }
  campaign_.print("two slow holders, one retreat");
  EXPECT_GT(campaign_.of(TokenEvent::met_slow), 0u);
  EXPECT_GT(campaign_.of(TokenEvent::sent_back), 0u);
  EXPECT_GT(campaign_.of(TokenEvent::waits_holding), 0u);
}

TEST_F(TokenExplorer, OneBatch) {
  for (Scenario scenario : all_overlaps(true)) {
    scenario.batch = 0;
    if (!campaign_.run(scenario)) return;
    if (!std::has_single_bit(scenario.needs[0])) {
      scenario.batch_descends = true;
      if (!campaign_.run(scenario)) return;
    }
    scenario.batch_repeats = true;
    if (!campaign_.run(scenario)) return;
  }
  campaign_.print("one batch");
  EXPECT_GT(campaign_.batch_handed_on, 0u);
  EXPECT_GT(campaign_.of(TokenEvent::batch_cut), 0u);
  EXPECT_GT(campaign_.of(TokenEvent::handed_on), 0u);
}

TEST_F(TokenExplorer, OneBatchAndOneSlowHolder) {
  for (Scenario scenario : all_overlaps(true)) {
    scenario.batch = 0;
    scenario.batch_descends = true;
    for (unsigned slow : {2u, 4u}) {
      scenario.slow = slow;
      if (!campaign_.run(scenario)) return;
    }
  }
  campaign_.print("one batch and one slow holder");
  EXPECT_GT(campaign_.of(TokenEvent::batch_cut), 0u);
  EXPECT_GT(campaign_.of(TokenEvent::met_slow), 0u);
}

// Calls that find out which shards they want when they run: scripts with undeclared keys.
TEST_F(TokenExplorer, CallsThatGainTokens) {
  for (const Scenario& overlap : all_overlaps(true)) {
    // The first one declares nothing, or its lowest or highest shard; the second one as well.
    for (const unsigned declared : {0u, 1u, 4u}) {
      Scenario scenario = overlap;
      scenario.gains[0] = scenario.needs[0] & ~declared;
      scenario.needs[0] &= declared;
      if (!campaign_.run(scenario)) return;
      scenario.gains[1] = scenario.needs[1] & ~declared;
      scenario.needs[1] &= declared;
      if (!campaign_.run(scenario)) return;
    }
  }
  campaign_.print("calls that gain tokens");
  EXPECT_GT(campaign_.gained, 0u);
  EXPECT_GT(campaign_.gains_failed, 0u);
  EXPECT_GT(campaign_.of(TokenEvent::queued), 0u);
}

TEST_F(TokenExplorer, CallsThatGainTokensAndOneSlowHolder) {
  for (Scenario scenario : all_overlaps(true, 2)) {
    scenario.gains[0] = std::exchange(scenario.needs[0], 0u);
    scenario.slow = 2;
    if (!campaign_.run(scenario)) return;
    scenario.gains[2] = std::exchange(scenario.needs[2], 0u);
    if (!campaign_.run(scenario)) return;
  }
  campaign_.print("calls that gain tokens and one slow holder");
  EXPECT_GT(campaign_.gains_failed, 0u);
  EXPECT_GT(campaign_.of(TokenEvent::met_slow), 0u);
}

// The explorer itself: merging states loses no interleaving.
TEST_F(TokenExplorer, MergingStatesLosesNothing) {
  for (unsigned slow : {0u, 2u}) {
    Scenario scenario;
    scenario.needs = {3, 2, 2};
    scenario.batch = 0;
    scenario.slow = slow;
    TokenWorld merging(scenario);
    const Explorer::Report merged = Explorer::explore(merging, 0);
    TokenWorld plain(scenario);
    const Explorer::Report each = Explorer::explore(plain, 0, Explorer::States::kept_apart);
    EXPECT_EQ(merged.failure + each.failure, "");
    EXPECT_EQ(merged.interleavings, each.interleavings);
    EXPECT_EQ(static_cast<double>(each.executions), each.interleavings);
    EXPECT_LT(merged.executions, each.executions);
    std::printf("[ explored ] %.0f interleavings one by one, %llu states\n", each.interleavings,
                static_cast<unsigned long long>(merged.states));
  }
}

}  // namespace
}  // namespace slotcar::shard
