// TokenWorld: three calls on three shards whose every interleaving the token explorer runs: the
// host of the scheduler's steps over tokens (shard/token_steps.h), and what is checked at each of
// them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>

#include "shard/explorer.h"
#include "shard/explorer_atomics.h"
#include "shard/testing/token_test_call.h"
#include "shard/token.h"
#include "shard/token_gain.h"
#include "shard/token_steps.h"

namespace slotcar::shard {

inline constexpr int kShards = 3;
inline constexpr int kCalls = 3;
inline constexpr int kSlowThread = kCalls;  // threads 0..2 start one call each
inline constexpr int kThreads = kCalls + 1;
inline constexpr unsigned kNoBound = 1000;
inline constexpr int kNone = -1;

struct Scenario {
  std::array<unsigned, kCalls> needs{};  // bit i: shard i
  // The shards that a call finds out to want when it runs, the highest first.
  std::array<unsigned, kCalls> gains{};
  unsigned slow = 0;  // bit i: call i is slow
  int batch = kNone;  // this call is a batch: a call for each of its shards
  bool batch_descends = false;
  bool batch_repeats = false;  // two calls more for its first shard, one in a batch of its own
  int hands_on = kNone;        // this thread runs no calls of others
  unsigned runs_max = kNoBound;
  unsigned retreats_max = 2;
  int spurious = 0;
};

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
  using Call = TestCall;
  struct Thread;
  struct Shard {
    BasicToken<ExplorerAtomics> token;
    // Each thread compares it with itself alone, and no other thread writes that: no step of its
    // own.
    std::atomic<Thread*> batch_owner{nullptr};
    std::uint8_t index = 0;
  };
  // The tokens of a batch, without an allocation.
  struct Taken {
    std::array<Shard*, kShards> shards{};
    std::size_t size = 0;
    void clear() { *this = {}; }
    void push_back(Shard* shard) { shards[size++] = shard; }
    Shard* const* begin() const { return shards.data(); }
    Shard* const* end() const { return shards.data() + size; }
  };
  struct Thread {
    std::uint8_t id = 0;
    bool is_slow = false;
    BasicCallList<Call> ready;
    bool draining = false;
    Taken batch_tokens;
    // Where it is: what each function on its stack remembers.
    std::array<std::uint64_t, 16> stack{};
    std::size_t depth = 0;
    int in_batch_end = 0;
  };

  explicit TokenWorld(const Scenario& scenario) : scenario_(scenario) {}
  const TokenEventCounts& counted() const { return counts_; }
  std::uint64_t batch_handed_on() const { return batch_handed_on_; }
  std::uint64_t moved_to_slow_thread() const { return moved_to_slow_thread_; }
  std::uint64_t gained() const { return gained_; }
  std::uint64_t gains_failed() const { return gains_failed_; }

  // --- Explorer::Subject -----------------------------------------------------------------------
  void reset() override {
    std::destroy_at(&memory_);
    std::construct_at(&memory_);
    for (int i = 0; i < kShards; ++i) memory_.shards[i].index = static_cast<std::uint8_t>(i);
    for (int i = 0; i < kThreads; ++i) {
      memory_.threads[i].id = static_cast<std::uint8_t>(i);
      memory_.threads[i].is_slow = i == kSlowThread;
    }
    for (int i = 0; i < kCalls; ++i) {
      Call& call = memory_.calls[i];
      call.id = static_cast<std::uint8_t>(i + 1);
      call.home = static_cast<std::uint8_t>(i);
      call.slow = (scenario_.slow >> i & 1) != 0;
      for (int shard = 0; shard < kShards; ++shard) {
        if (scenario_.needs[i] >> shard & 1) call.needs().add(shard);
      }
    }
  }
  int fibers() const override { return scenario_.slow != 0 ? kThreads : kThreads - 1; }
  void run(int fiber) override {
    Thread& thread = memory_.threads[fiber];
    if (fiber == scenario_.batch) {
      run_batch(thread, memory_.calls[fiber]);
    } else if (fiber < kCalls) {
      memory_.calls[fiber].tokens().on_the_spot = true;
      go_on(thread, memory_.calls[fiber]);
    }
    for (;;) {
      explorer().wait();
      go_on(thread, call_of(memory_.inboxes[fiber].pop()));
    }
  }
  bool begins_waiting(int fiber) const override { return fiber == kSlowThread; }
  bool can_go_on(int fiber) const override { return memory_.inboxes[fiber].size != 0; }
  std::uint64_t digest() const override;
  void on_write(const void* atomic, std::uint64_t old, std::uint64_t now) override;
  void at_end() override;

  // --- the host of TokenSteps --------------------------------------------------------------------
  Shard& shard(ShardId id) { return memory_.shards[id.value]; }
  unsigned retreats_max() const { return scenario_.retreats_max; }
  static bool stops_between(Thread&, Call&) { return false; }
  static bool spins_for(const BasicToken<ExplorerAtomics>&) { return false; }
  static void will_queue(Thread&, Call&) {}
  bool hands_on_all(const Thread& thread) const { return thread.id == scenario_.hands_on; }
  void post_home(Call& call) { post(call.home, call); }
  struct Budget {
    unsigned runs_max;
    unsigned runs = 0;
    bool allows_another() {
      if (runs >= runs_max) return false;
      ++runs;
      return true;
    }
  };
  Budget budget(const Thread&) const { return {scenario_.runs_max}; }

  void advance(Thread& thread, Call& call) {
    do {
      if (!steps_.take_all(thread, call)) return;
    } while (!run_held(thread, call));
  }
  // False: it begins anew.
  bool run_held(Thread& thread, Call& call) {
    const Mark mark(thread, {kRuns, call.id});
    if (!gain_all(thread, call)) return false;
    if (call.slow) {
      steps_.announce_slow(thread, call);
      if (!thread.is_slow) {
        ++moved_to_slow_thread_;
        call.tokens().on_the_spot = false;
        post(kSlowThread, call);
        return true;
      }
      steps_.hand_on_ready(thread);
    }
    check_run(thread, call);
    steps_.release(thread, call);
    return true;
  }
  // As ScriptSteps does: what it does not gain it needs from its beginning on; the second time,
  // all.
  bool gain_all(Thread& thread, Call& call);

  void saw(const Thread&, TokenEvent event) { counts_.add(event); }
  void saw(const Thread& thread, TokenEvent event, const Shard& shard, const Call* call = nullptr);

  // What a function remembers while others run: pushed at its points, popped at its end.
  class Mark {
   public:
    Mark(Thread& thread, std::initializer_list<std::uint64_t> known) : thread_(&thread) {
      std::uint64_t hash = 1;
      for (std::uint64_t value : known) hash = Explorer::mix(hash, value);
      thread.stack[thread.depth++] = hash;
      explorer().here({});
      for (std::size_t i = 0; i < thread.depth; ++i) explorer().note(thread.stack[i]);
    }
    ~Mark() { --thread_->depth; }
    Mark(const Mark&) = delete;
    Mark& operator=(const Mark&) = delete;

   private:
    Thread* thread_;
  };
  template <class... Known>
  Mark mark(Thread& thread, StepPoint point, const Call& call, Known... known) {
    return Mark(thread, {static_cast<std::uint64_t>(point), call.id, std::uint64_t{known}...});
  }
  Mark mark(Thread& thread, StepPoint point, const Shard& shard) {
    return Mark(thread, {static_cast<std::uint64_t>(point), shard.index});
  }

 private:
  bool wants(const Call& call, int shard) const {
    return call.id != 0 && (scenario_.gains[call.id - 1] >> shard & 1) != 0;
  }

  static constexpr std::uint64_t kRuns = 100;  // points of this file, beside the steps' own
  static constexpr std::uint64_t kBatch = 101;

  struct Memory {
    std::array<Shard, kShards> shards;
    std::array<Call, kCalls> calls;
    std::array<Call, kShards + 2> batch_calls;  // they bear the id of the batch
    std::array<Thread, kThreads> threads;
    std::array<SmallLine, kThreads> inboxes;
    // What the tokens claim, kept apart from them: which call holds, and which are queued.
    std::array<std::uint8_t, kShards> owners{};
    std::array<SmallLine, kShards> queued;
    std::array<bool, kShards> slow{};
  };
  using Token = BasicToken<ExplorerAtomics>;
  using TokenWords = std::array<std::uint64_t, sizeof(Token) / sizeof(std::uint64_t)>;

  static Explorer& explorer() { return Explorer::running(); }
  Call& call_of(std::uint8_t id) { return memory_.calls[id - 1]; }
  void go_on(Thread& thread, Call& call) {
    advance(thread, call);
    steps_.drain(thread);
  }
  void post(int thread, Call& call) {
    explorer().step("post");
    if (!memory_.inboxes[thread].push(call.id)) explorer().fail("a call was posted twice");
  }
  void take(const Shard& shard, const Call& call) {
    if (memory_.owners[shard.index] != 0) explorer().fail("two calls hold one token");
    memory_.owners[shard.index] = call.id;
  }
  void check_run(const Thread& thread, Call& call) {
    for (const ShardId id : call.needs()) {
      if (memory_.owners[id.value] != call.id) explorer().fail("a call runs without a token");
      const SmallLine& line = memory_.queued[id.value];
      for (int i = 0; call.slow && i < line.size; ++i) must_not_hold(call_of(line.ids[i]));
    }
    for (int i = 0; i < kShards; ++i) {
      if (wants(call, i) && memory_.owners[i] != call.id) {
        explorer().fail("a call runs without a token that it wants");
      }
    }
    if (call.tries > 2) explorer().fail("a call begins anew more than twice");
    if (call.tokens().on_the_spot && thread.id != call.home) {
      explorer().fail("a call is finished elsewhere while its starter waits for it on the spot");
    }
    if (++call.ran != 1) explorer().fail("a call runs twice");
  }
  // Behind a slow holder no call is queued that makes others wait, unless its retreats are used up.
  void must_not_hold(const Call& call) const {
    if (call.tokens().held == 0 || call.tokens().retreats >= scenario_.retreats_max) return;
    explorer().fail("a call waits behind a slow holder with other tokens in its hand");
  }
  // The whole token, with the list that it does not show.
  TokenWords words_of(int shard) const {
    TokenWords words;
    static_assert(sizeof(words) == sizeof(Token));
    std::memcpy(words.data(), static_cast<const void*>(&memory_.shards[shard].token),
                sizeof(words));
    return words;
  }
  void run_batch(Thread& thread, Call& batch);
  void run_batch(Thread& thread, std::span<Call* const> calls, std::uint64_t which);

  Scenario scenario_;
  TokenEventCounts counts_;
  std::uint64_t batch_handed_on_ = 0;
  std::uint64_t moved_to_slow_thread_ = 0;
  std::uint64_t gained_ = 0;
  std::uint64_t gains_failed_ = 0;
  Memory memory_;
  TokenSteps<TokenWorld> steps_{*this};
};

}  // namespace slotcar::shard
