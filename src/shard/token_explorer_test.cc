// Every interleaving of three calls on three shards: the real token under the scheduler's protocol.
#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "shard/explorer.h"
#include "shard/explorer_atomics.h"
#include "shard/token.h"
#include "shard/token_protocol.h"

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

constexpr int kShards = 3;
constexpr int kCalls = 3;
constexpr int kSlowThread = kCalls;  // threads 0..2 start one call each
constexpr int kThreads = kCalls + 1;
constexpr unsigned kNoBound = 1000;
constexpr int kNone = -1;

struct Scenario {
  std::array<unsigned, kCalls> needs{};  // bit i: shard i
  unsigned slow = 0;                     // bit i: call i is slow
  int batch = kNone;                     // this call is a batch
  bool batch_descends = false;
  unsigned runs_max = kNoBound;
  unsigned retreats_max = 2;
  int spurious = 0;
};

std::string describe(const Scenario& scenario) {
  std::string text = "needs";
  for (unsigned needs : scenario.needs) text += " " + std::to_string(needs);
  return text + ", slow " + std::to_string(scenario.slow) + ", batch " +
         std::to_string(scenario.batch) + (scenario.batch_descends ? " descending" : "") +
         ", runs_max " + std::to_string(scenario.runs_max) + ", retreats_max " +
         std::to_string(scenario.retreats_max);
}

// At most every call once.
struct SmallLine {
  std::array<std::uint8_t, kCalls> ids{};
  std::uint8_t size = 0;
  bool push(std::uint8_t id) {
    if (size == kCalls) return false;
    ids[size++] = id;
    return true;
  }
  std::uint8_t pop() {
    if (size == 0) return 0;
    const std::uint8_t id = ids[0];
    for (int i = 1; i < kCalls; ++i) ids[i - 1] = ids[i];
    ids[--size] = 0;
    return id;
  }
};

class TokenWorld final : public Explorer::Subject {
 public:
  using Token = BasicToken<ExplorerAtomics>;
  using Thread = ProtocolThread<TokenWorld>;

  explicit TokenWorld(const Scenario& scenario) : scenario_(scenario) {}
  const ProtocolCounters& counted() const { return counters_; }

  // --- Explorer::Subject -----------------------------------------------------------------------
  void reset() override {
    std::destroy_at(&memory_);
    std::construct_at(&memory_, *this);
    for (int i = 0; i < kCalls; ++i) {
      ProtocolCall& call = memory_.calls[i];
      call.id = static_cast<std::uint8_t>(i + 1);
      call.home = static_cast<std::uint8_t>(i);
      call.slow = (scenario_.slow >> i & 1) != 0;
      if (i == scenario_.batch) continue;
      for (std::uint8_t shard = 0; shard < kShards; ++shard) {
        if (scenario_.needs[i] >> shard & 1) call.needs[call.needs_count++] = shard;
      }
    }
  }
  int fibers() const override { return scenario_.slow != 0 ? kThreads : kThreads - 1; }
  void run(int fiber) override {
    Thread& thread = memory_.threads[fiber];
    if (fiber == scenario_.batch) {
      run_batch(thread, memory_.calls[fiber]);
    } else if (fiber < kCalls) {
      thread.go_on(memory_.calls[fiber]);
    }
    for (;;) {
      explorer().wait();
      thread.go_on(call_of(memory_.inboxes[fiber].pop()));
    }
  }
  bool begins_waiting(int fiber) const override { return fiber == kSlowThread; }
  bool can_go_on(int fiber) const override { return memory_.inboxes[fiber].size != 0; }
  std::uint64_t digest() const override;
  void on_write(const void* atomic, std::uint64_t old, std::uint64_t now) override;
  void at_end() override;

  // --- World of ProtocolThread -------------------------------------------------------------------
  Token& token(std::uint8_t shard) { return memory_.tokens[shard]; }
  void got(std::uint8_t shard, const ProtocolCall& call) {
    if (memory_.owners[shard] != 0) explorer().fail("two calls hold one token");
    memory_.owners[shard] = call.id;
  }
  void giving(std::uint8_t shard) { memory_.owners[shard] = 0; }
  void gave(std::uint8_t shard) { memory_.slow[shard] = false; }
  void turned_slow(std::uint8_t shard) { memory_.slow[shard] = true; }
  void met_slow(std::uint8_t shard) {
    if (!memory_.slow[shard]) explorer().fail("a call gives way to a holder that is not slow");
  }
  void next_is(std::uint8_t shard, const ProtocolCall& call) {
    if (memory_.queued[shard].pop() != call.id) explorer().fail("a call was overtaken in a line");
  }
  void run(ProtocolCall& call) {
    for (int i = 0; i < call.needs_count; ++i) {
      if (memory_.owners[call.needs[i]] != call.id) explorer().fail("a call runs without a token");
      const SmallLine& line = memory_.queued[call.needs[i]];
      for (int j = 0; call.slow && j < line.size; ++j) must_not_hold(call_of(line.ids[j]));
    }
    if (++call.ran != 1) explorer().fail("a call runs twice");
  }
  void finished(ProtocolCall&) {}
  void post(int thread, ProtocolCall& call) {
    explorer().step("post");
    if (!memory_.inboxes[thread].push(call.id)) explorer().fail("a call was posted twice");
  }
  void to_slow_lane(ProtocolCall& call) { post(kSlowThread, call); }
  ProtocolCounters& counters(std::uint8_t) { return counters_; }
  unsigned retreats_max() const { return scenario_.retreats_max; }
  unsigned runs_max() const { return scenario_.runs_max; }
  void here(std::initializer_list<std::uint64_t> known) { explorer().here(known); }
  // The list in the token, which its holder is about to read.
  void note_line(std::uint8_t shard) {
    const TokenWords words = words_of(shard);
    for (std::size_t i = 1; i < words.size(); ++i) explorer().note(words[i]);
  }

 private:
  struct Memory {
    explicit Memory(TokenWorld& world)
        : threads{Thread(world, 0, false), Thread(world, 1, false), Thread(world, 2, false),
                  Thread(world, kSlowThread, true)} {}
    std::array<Token, kShards> tokens;
    std::array<ProtocolCall, kCalls> calls;
    std::array<Thread, kThreads> threads;
    std::array<SmallLine, kThreads> inboxes;
    // What the tokens claim, kept apart from them: who holds, and who stands in line.
    std::array<std::uint8_t, kShards> owners{};
    std::array<SmallLine, kShards> queued;
    std::array<bool, kShards> slow{};
  };
  using TokenWords = std::array<std::uint64_t, sizeof(Token) / sizeof(std::uint64_t)>;

  static Explorer& explorer() { return Explorer::running(); }
  ProtocolCall& call_of(std::uint8_t id) { return memory_.calls[id - 1]; }
  // Behind a slow holder nobody stands who makes others wait, unless its retreats are used up.
  void must_not_hold(const ProtocolCall& call) const {
    if (call.held == 0 || call.retreats >= scenario_.retreats_max) return;
    explorer().fail("a call waits behind a slow holder with other tokens in its hand");
  }
  // The whole token, with the list that it shows to nobody.
  TokenWords words_of(int shard) const {
    TokenWords words;
    static_assert(sizeof(words) == sizeof(Token));
    std::memcpy(words.data(), static_cast<const void*>(&memory_.tokens[shard]), sizeof(words));
    return words;
  }
  void run_batch(Thread& thread, ProtocolCall& call) {
    std::array<std::uint8_t, kShards> shards{};
    std::size_t count = 0;
    for (int i = 0; i < kShards; ++i) {
      const int shard = scenario_.batch_descends ? kShards - 1 - i : i;
      if (scenario_.needs[scenario_.batch] >> shard & 1) {
        shards[count++] = static_cast<std::uint8_t>(shard);
      }
    }
    thread.run_batch(call, std::span(shards).first(count));
    thread.drain();
  }

  Scenario scenario_;
  ProtocolCounters counters_;
  Memory memory_{*this};
};

std::uint64_t TokenWorld::digest() const {
  std::uint64_t hash = 0;
  auto add = [&](std::uint64_t value) { hash = Explorer::mix(hash, value); };
  auto add_line = [&](const SmallLine& line) {
    add(line.ids[0] | line.ids[1] << 8 | line.ids[2] << 16 | line.size << 24);
  };
  for (int i = 0; i < kShards; ++i) {
    for (std::uint64_t word : words_of(i)) add(word);
    add(memory_.owners[i] * 2u + memory_.slow[i]);
    add_line(memory_.queued[i]);
  }
  for (const ProtocolCall& call : memory_.calls) {
    add(reinterpret_cast<std::uintptr_t>(call.queue_next));
    add(call.held | call.retreats << 4 | call.returner << 8 | call.on_slow_lane << 9 |
        call.needs_count << 10 | call.ran << 14);
    add(std::bit_cast<std::uint64_t>(call.needs));
  }
  for (int i = 0; i < fibers(); ++i) {
    add_line(memory_.inboxes[i]);
    add(reinterpret_cast<std::uintptr_t>(memory_.threads[i].ready().first()));
  }
  return hash;
}

// Who stands in line is written down in the very step in which the token's word says so.
void TokenWorld::on_write(const void* atomic, std::uint64_t old, std::uint64_t now) {
  constexpr std::uint64_t kBits = 3;
  for (int shard = 0; shard < kShards; ++shard) {
    const Token& token = memory_.tokens[shard];
    if (atomic < &token || atomic >= &token + 1) continue;
    SmallLine& line = memory_.queued[shard];
    if ((now == 0 || old == 0) && line.size != 0) {
      explorer().fail(now == 0 ? "a token became free while a call stood in its line"
                               : "a newcomer took a token past a call in its line");
    }
    const std::uint64_t node = now & ~kBits;
    if (node == 0 || node == (old & ~kBits)) return;
    const auto* queued = static_cast<const ProtocolCall*>(reinterpret_cast<const Queued*>(node));
    if (!line.push(queued->id)) explorer().fail("a call stands in line twice");
    if (memory_.slow[shard]) must_not_hold(*queued);
  }
}

void TokenWorld::at_end() {
  for (const ProtocolCall& call : memory_.calls) {
    if (call.ran == 0) explorer().fail("a call never ran: nobody can go on");
    if (call.held != 0) explorer().fail("a call ended with a token in its hand");
  }
  for (int shard = 0; shard < kShards; ++shard) {
    for (std::uint64_t word : words_of(shard)) {
      if (word != 0) explorer().fail("at the end a token is not free or its line not empty");
    }
    if (memory_.owners[shard] != 0) explorer().fail("at the end a token has an owner");
  }
  for (int i = 0; i < fibers(); ++i) {
    if (!memory_.threads[i].ready().empty()) explorer().fail("a call is left on a thread's list");
  }
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
    counters.add(world.counted());
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
  ProtocolCounters counters;

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
  EXPECT_GT(campaign_.counters.queued, 0u);
  EXPECT_GT(campaign_.counters.handed_on, 0u);
}

TEST_F(TokenExplorer, CallsThatAreHandedToOtherThreads) {
  for (Scenario scenario : all_overlaps(false)) {
    scenario.runs_max = 0;
    if (!campaign_.run(scenario)) return;
  }
  campaign_.print("three calls, handed over");
  EXPECT_GT(campaign_.counters.posted, 0u);
}

TEST_F(TokenExplorer, CompareExchangeThatFailsForNoReason) {
  for (Scenario scenario : all_overlaps(false, 2)) {
    scenario.spurious = 1;
    if (!campaign_.run(scenario)) return;
  }
  campaign_.print("three calls, spurious failures");
  EXPECT_GT(campaign_.counters.handed_on, 0u);
}

TEST_F(TokenExplorer, OneSlowHolder) {
  for (Scenario scenario : all_overlaps(true)) {
    scenario.slow = 1;
    if (!campaign_.run(scenario)) return;
  }
  campaign_.print("one slow holder");
  EXPECT_GT(campaign_.counters.slow, 0u);
  EXPECT_GT(campaign_.counters.retreated, 0u);
  EXPECT_GT(campaign_.counters.sent_back, 0u);
  EXPECT_GT(campaign_.counters.returned_at_once, 0u);
  EXPECT_GT(campaign_.counters.passed_over, 0u);
}

TEST_F(TokenExplorer, OneSlowHolderAndHandedOver) {
  for (Scenario scenario : all_overlaps(true, 2)) {
    scenario.slow = 1;
    scenario.runs_max = 0;
    if (!campaign_.run(scenario)) return;
  }
  campaign_.print("one slow holder, handed over");
  EXPECT_GT(campaign_.counters.posted, 0u);
  EXPECT_GT(campaign_.counters.retreated, 0u);
}

TEST_F(TokenExplorer, CallsThatMayNotRetreatAnyMore) {
  for (Scenario scenario : all_overlaps(true)) {
    scenario.slow = 1;
    scenario.retreats_max = 0;
    if (!campaign_.run(scenario)) return;
  }
  campaign_.print("one slow holder, no retreat left");
  EXPECT_GT(campaign_.counters.waited_holding, 0u);
  EXPECT_EQ(campaign_.counters.retreated + campaign_.counters.sent_back, 0u);
}

TEST_F(TokenExplorer, TwoSlowHoldersAndOneRetreat) {
  for (Scenario scenario : all_overlaps(true, 2)) {
    scenario.slow = 6;
    scenario.retreats_max = 1;
    if (!campaign_.run(scenario)) return;
  }
  campaign_.print("two slow holders, one retreat");
  EXPECT_GT(campaign_.counters.retreated, 0u);
  EXPECT_GT(campaign_.counters.sent_back, 0u);
  EXPECT_GT(campaign_.counters.waited_holding, 0u);
}

TEST_F(TokenExplorer, OneBatch) {
  for (Scenario scenario : all_overlaps(true)) {
    scenario.batch = 0;
    if (!campaign_.run(scenario)) return;
    scenario.batch_descends = true;
    if (!std::has_single_bit(scenario.needs[0]) && !campaign_.run(scenario)) return;
  }
  campaign_.print("one batch");
  EXPECT_GT(campaign_.counters.batch_cut, 0u);
  EXPECT_GT(campaign_.counters.handed_on, 0u);
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
  EXPECT_GT(campaign_.counters.batch_cut, 0u);
  EXPECT_GT(campaign_.counters.retreated, 0u);
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
