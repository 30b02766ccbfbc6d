// The token on real threads, under the scheduler's protocol: four workers and a slow thread, eight
// shards, many calls. What the tokens guard is not atomic, so that the thread sanitizer sees every
// hold that does not follow from the one before it.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "shard/token.h"
#include "shard/token_protocol.h"

namespace slotcar::shard {
namespace {

constexpr int kShards = 8;
constexpr int kWorkers = 4;
constexpr int kSlowThread = kWorkers;
constexpr int kThreads = kWorkers + 1;
constexpr std::uint64_t kCallsEach = 50'000;  // per worker
constexpr std::size_t kInFlight = 12;         // calls of one worker under way at a time

unsigned long long ull(std::uint64_t value) {
  return value;
}

// One thread's letters. A call in `returned` has ended and may be used for a new one.
class Inbox {
 public:
  struct Letters {
    std::deque<ProtocolCall*> ready;
    std::deque<ProtocolCall*> returned;
    bool closed = false;
  };
  void post_ready(ProtocolCall& call) {
    std::lock_guard lock(mutex_);
    letters_.ready.push_back(&call);
    arrived_.notify_one();
  }
  void post_returned(ProtocolCall& call) {
    std::lock_guard lock(mutex_);
    letters_.returned.push_back(&call);
    arrived_.notify_one();
  }
  void close() {
    std::lock_guard lock(mutex_);
    letters_.closed = true;
    arrived_.notify_one();
  }
  Letters take(bool waits) {
    std::unique_lock lock(mutex_);
    if (waits) {
      arrived_.wait(lock, [&] {
        return letters_.closed || !letters_.ready.empty() || !letters_.returned.empty();
      });
    }
    Letters letters = std::move(letters_);
    letters_ = Letters{.ready = {}, .returned = {}, .closed = letters.closed};
    return letters;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  Letters letters_;
};

class StressWorld {
 public:
  using Token = shard::Token;

  void run_all() {
    std::vector<std::thread> threads;
    for (int i = 0; i < kWorkers; ++i) threads.emplace_back([this, i] { work(i); });
    threads.emplace_back([this] { work_slowly(); });
    for (std::thread& thread : threads) thread.join();
  }

  void check_end() {
    std::array<std::uint64_t, kShards> wanted{};
    for (const PerThread& thread : per_thread_) {
      for (int i = 0; i < kShards; ++i) wanted[i] += thread.wanted[i];
    }
    std::int64_t sum = 0;
    for (int i = 0; i < kShards; ++i) {
      EXPECT_TRUE(shards_[i].token.looks_free()) << i;
      int queued = 0;
      shards_[i].token.for_each_queued([&](Queued&) { ++queued; });
      EXPECT_EQ(queued, 0) << i;
      EXPECT_EQ(shards_[i].owner, 0u) << i;
      EXPECT_EQ(shards_[i].visits, wanted[i]) << i;
      sum += shards_[i].balance;
    }
    EXPECT_EQ(sum, 0);
    EXPECT_EQ(finished_.load(), kWorkers * kCallsEach);
  }

  ProtocolCounters counted() const {
    ProtocolCounters all;
    for (const PerThread& thread : per_thread_) all.add(thread.counters);
    return all;
  }

  // --- World of ProtocolThread -----------------------------------------------------------------
  Token& token(std::uint8_t shard) { return shards_[shard].token; }
  void got(std::uint8_t shard, const ProtocolCall& call) {
    ASSERT(shards_[shard].owner == 0);
    shards_[shard].owner = call.home * 64u + call.id;
  }
  void giving(std::uint8_t shard) { shards_[shard].owner = 0; }
  void next_is(std::uint8_t, const ProtocolCall&) {}
  void turned_slow(std::uint8_t) {}
  void met_slow(std::uint8_t) {}
  void gave(std::uint8_t) {}
  void run(ProtocolCall& call);
  void finished(ProtocolCall& call) {
    inboxes_[call.home].post_returned(call);
    if (finished_.fetch_add(1) + 1 == kWorkers * kCallsEach) {
      for (Inbox& inbox : inboxes_) inbox.close();
    }
  }
  void post(int thread, ProtocolCall& call) { inboxes_[thread].post_ready(call); }
  void to_slow_lane(ProtocolCall& call) { inboxes_[kSlowThread].post_ready(call); }
  ProtocolCounters& counters(std::uint8_t thread) { return per_thread_[thread].counters; }
  unsigned retreats_max() const { return 2; }
  unsigned runs_max() const { return 4; }
  void here(std::initializer_list<std::uint64_t>) {}
  void note_line(std::uint8_t) {}

 private:
  struct alignas(128) StressShard {
    Token token;
    // Guarded by the token.
    std::uint64_t owner = 0;
    std::uint64_t visits = 0;
    std::int64_t balance = 0;                          // over all shards the sum is always 0
    std::array<std::uint64_t, kWorkers> last_alone{};  // of each home's one-shard calls
  };
  struct alignas(128) PerThread {
    ProtocolCounters counters;
    std::array<std::uint64_t, kShards> wanted{};  // visits that this thread's calls will make
  };

  void work(int id);
  void work_slowly();
  static void make_new(ProtocolCall& call, std::uint64_t number);
  static void fill(ProtocolCall& call, std::mt19937_64& random, PerThread& mine);
  void batch(ProtocolThread<StressWorld>& thread, ProtocolCall& call, std::mt19937_64& random,
             PerThread& mine);

  std::array<StressShard, kShards> shards_;
  std::array<std::array<ProtocolCall, kInFlight>, kWorkers> calls_;
  std::array<Inbox, kThreads> inboxes_;
  std::array<PerThread, kThreads> per_thread_;
  std::atomic<std::uint64_t> finished_{0};
};

void StressWorld::run(ProtocolCall& call) {
  ++call.ran;
  ASSERT(call.ran == 1);
  std::int64_t sum = 0;
  for (int i = 0; i < call.needs_count; ++i) {
    StressShard& shard = shards_[call.needs[i]];
    ASSERT(shard.owner == call.home * 64u + call.id);
    ++shard.visits;
    sum += shard.balance;
  }
  if (call.needs_count == kShards) ASSERT(sum == 0);
  if (call.needs_count > 1) {
    // Moves something from the first to the last: whoever holds all must never see it on the way.
    const auto amount = static_cast<std::int64_t>(call.number % 17) + 1;
    shards_[call.needs[0]].balance -= amount;
    shards_[call.needs[call.needs_count - 1]].balance += amount;
  } else if (call.needs_count == 1) {
    // Calls of one thread on one shard alone run in the order in which it started them.
    std::uint64_t& last = shards_[call.needs[0]].last_alone[call.home];
    ASSERT(last < call.number);
    last = call.number;
  }
}

void StressWorld::make_new(ProtocolCall& call, std::uint64_t number) {
  call.needs_count = 0;
  call.held = 0;
  call.retreats = 0;
  call.returner = false;
  call.on_slow_lane = false;
  call.ran = 0;
  call.number = number;
  call.slow = false;
}

void StressWorld::fill(ProtocolCall& call, std::mt19937_64& random, PerThread& mine) {
  call.slow = random() % 16 == 0;
  // One shard mostly, often the same; sometimes some, seldom all.
  const std::uint64_t kind = random() % 32;
  unsigned mask = 0;
  if (kind == 0) {
    mask = (1u << kShards) - 1;
  } else if (kind < 14) {
    mask = 1u << (random() % kShards) | 1u << (random() % 3) | 1u << (random() % kShards);
  } else {
    mask = 1u << (random() % 2 == 0 ? 1 : random() % kShards);
  }
  for (std::uint8_t shard = 0; shard < kShards; ++shard) {
    if ((mask >> shard & 1) == 0) continue;
    call.needs[call.needs_count++] = shard;
    ++mine.wanted[shard];
  }
}

// A batch of up to three shards in any order. It ends before this returns, whatever it got.
void StressWorld::batch(ProtocolThread<StressWorld>& thread, ProtocolCall& call,
                        std::mt19937_64& random, PerThread& mine) {
  std::array<std::uint8_t, kShards> shards{0, 1, 2, 3, 4, 5, 6, 7};
  std::shuffle(shards.begin(), shards.end(), random);
  thread.run_batch(call, std::span(shards).first(3));
  // Its way home leads through this thread's inbox, so nobody has used it again yet.
  for (int i = 0; i < call.needs_count; ++i) ++mine.wanted[call.needs[i]];
}

void StressWorld::work(int id) {
  ProtocolThread<StressWorld> thread(*this, static_cast<std::uint8_t>(id), false);
  PerThread& mine = per_thread_[id];
  std::mt19937_64 random(static_cast<std::uint64_t>(id) + 1);
  std::vector<ProtocolCall*> unused;
  for (std::size_t i = 0; i < kInFlight; ++i) {
    ProtocolCall& call = calls_[id][i];
    call.home = static_cast<std::uint8_t>(id);
    call.id = static_cast<std::uint8_t>(i + 1);
    unused.push_back(&call);
  }
  std::uint64_t started = 0;
  for (;;) {
    const bool has_work = started < kCallsEach && !unused.empty();
    const Inbox::Letters letters = inboxes_[id].take(/*waits=*/!has_work);
    for (ProtocolCall* call : letters.ready) thread.go_on(*call);
    for (ProtocolCall* call : letters.returned) unused.push_back(call);
    if (letters.closed) return;
    if (started == kCallsEach || unused.empty()) continue;
    ProtocolCall& call = *unused.back();
    unused.pop_back();
    make_new(call, ++started);
    if (random() % 8 == 0) {
      batch(thread, call, random, mine);
      thread.drain();
    } else {
      fill(call, random, mine);
      thread.go_on(call);
    }
  }
}

void StressWorld::work_slowly() {
  ProtocolThread<StressWorld> thread(*this, kSlowThread, true);
  for (;;) {
    const Inbox::Letters letters = inboxes_[kSlowThread].take(/*waits=*/true);
    if (letters.closed) return;
    for (ProtocolCall* call : letters.ready) thread.go_on(*call);
  }
}

TEST(TokenStress, CallsOnRealThreads) {
  auto world = std::make_unique<StressWorld>();
  world->run_all();
  world->check_end();
  const ProtocolCounters counted = world->counted();
  std::printf(
      "[ counted  ] queued %llu, handed on %llu, posted %llu, slow %llu, retreated %llu, "
      "sent back %llu, passed over %llu, returned at once %llu, waited holding %llu, "
      "batches cut %llu\n",
      ull(counted.queued), ull(counted.handed_on), ull(counted.posted), ull(counted.slow),
      ull(counted.retreated), ull(counted.sent_back), ull(counted.passed_over),
      ull(counted.returned_at_once), ull(counted.waited_holding), ull(counted.batch_cut));
  // What cannot fail to happen, however the threads are scheduled: while a slow call is on its way
  // to the slow thread, its worker starts others. (The explorer insists on the rarer ways.)
  EXPECT_GT(counted.slow, 0u);
  EXPECT_GT(counted.queued, 0u);
  EXPECT_GT(counted.handed_on, 0u);
  EXPECT_GT(counted.retreated, 0u);
}

}  // namespace
}  // namespace slotcar::shard
