// Scheduler: brings calls to their tokens. One per node, shared by all threads; it has no state of
// its own but what stands in the tokens, the calls and the threads.
//
// * `run_batch` is the fast path: a worker takes the tokens of several pipelined calls at once by
//   trying alone, never waiting, runs them in order and gives all back. Holding a token longer than
//   its call needs it is harmless, and it lets the batch fetch all its cache lines ahead.
// * `start` is the path of a call that may have to wait: tokens in ascending order; where one is
//   held, the call queues and the worker goes on with other connections.
// * Whoever gives a token back runs the calls that were queued for it (`drain`): from a list, after
//   having given back everything, never by recursion; up to a bound, then the next call is posted,
//   with the token, to its own worker. So a wake-up is paid once per batch.
// * A call that begins on a slow thread (shard/work_place.h) queues for one before it takes a
// token:
//   "thread first, tokens second". One that gets its last token on a worker goes to a slow thread
//   that is free now, or gives all back and queues for a thread again; after two such tries it
//   keeps the thread that it has while it queues for its tokens.
#pragma once

#include <atomic>
#include <cstddef>
#include <span>

#include "runtime/executor.h"
#include "shard/call.h"
#include "shard/event_sink.h"
#include "shard/hold_observer.h"
#include "shard/record_observer.h"
#include "shard/shard.h"
#include "shard/thread.h"
#include "shard/waiters.h"
#include "shard/watch_removals.h"
#include "storage/log/log.h"

namespace slotcar::shard {

class SlowLane;

class Scheduler {
 public:
  Scheduler(ShardSet& shards, const ExecutionSettings& settings, runtime::PauseSource* pauses);

  void set_slow_lane(SlowLane& slow_lane) { slow_lane_ = &slow_lane; }
  void set_event_sink(EventSink& sink) { event_sink_ = &sink; }
  void set_record_observer(RecordObserver* observer) { record_observer_ = observer; }
  void set_hold_observer(HoldObserver* observer) { hold_observer_ = observer; }
  ShardSet& shards() { return *shards_; }
  const ExecutionSettings& settings() const { return *settings_; }
  Waiters& waiters() { return waiters_; }
  WatchRemovals& watch_removals() { return watch_removals_; }
  const WatchRemovals& watch_removals() const { return watch_removals_; }
  Epoch epoch() const { return Epoch{epoch_.load(std::memory_order_acquire)}; }

  // --- durability. Without a log nothing is recorded.
  // Before any call runs: the epoch that recovery has found.
  void set_epoch(Epoch epoch) { epoch_.store(epoch.value, std::memory_order_release); }
  void set_log(storage::Log* log) { log_.store(log, std::memory_order_release); }
  storage::Log* log() const { return log_.load(std::memory_order_acquire); }
  // Recovery, while nobody serves: runs an effect on the keys of its shards, of which this thread
  // is the only user. A command of the form on_keys or on_all_shards, its keys located.
  void apply(Thread& thread, Call& call, UnixMs time);
  keyspace::Hold make_applying_hold(Thread& thread) {
    keyspace::Hold hold = make_hold(thread);
    hold.applying = true;
    hold.touch = false;
    hold.notify = {};                     // what is loaded did not happen now
    thread.effects.set_recording(false);  // ... and is in the files already
    return hold;
  }
  // A snapshot begins: raises the epoch; from here on each shard is cut before a call touches it.
  Epoch begin_cuts();
  // No shard is cut any more (those that are stay so until the snapshot ends their cuts).
  void end_cuts() { cutting_.store(0, std::memory_order_release); }

  struct Progress {
    std::size_t finished = 0;  // calls[0..finished) are done
    bool pending = false;      // calls[finished] is under way and will come home
    Lsn gate{0};               // the replies of those done may leave once this is durable
  };
  // Calls of the form on_keys with their needs known, which do not begin on a slow thread. Stops
  // before a call whose token is held elsewhere; `start` takes it on.
  Progress run_batch(Thread& thread, std::span<Call* const> calls);

  // True: the call is finished. False: it is under way; `finished` will be called at its home.
  bool start(Thread& thread, Call& call);
  // A short call of the form on_session, on its own worker. It has no hold, so it sees no key and
  // no time; it is finished, and nothing of the log has to be waited for.
  void run_at_once(Thread& thread, Call& call);
  // Any thread: a call that was parked (Call::park) has its answer and goes home.
  void finish_parked(Call& call);

  // For eviction and the like: a token by trying alone. `give_back` runs what was queued meanwhile.
  bool try_take(Shard& shard) { return shard.token.try_take(); }
  void give_back(Thread& thread, Shard& shard);
  // A hold for internal work on a token taken by try_take.
  keyspace::Hold make_hold(Thread& thread, Shard& shard);
  // Before close_hold: serves who waits for what was changed. `held`: the tokens, ascending.
  void serve_waiters(Thread& thread, keyspace::Hold& hold, std::span<const ShardId> held) {
    if (!thread.signals.empty()) [[unlikely]]
      waiters_.serve(thread, hold, held);
  }
  // Ends a piece of work under a hold, while its tokens are still held: counts changes, hands the
  // effects to the log, tells who wants to know, and then sends home the waiters that were served.
  void close_hold(Thread& thread, keyspace::Hold& hold);

 private:
  friend class SlowLane;
  friend class Waiters;
  friend class WatchRemovals;
  enum class Outcome { finished, elsewhere };
  enum class Held { all, elsewhere };
  enum class Ran { finished, elsewhere, again };

  static constexpr int kRetreatsMax = 2;   // afterwards a call waits in order, holding what it has
  static constexpr int kSlowTriesMax = 2;  // afterwards it keeps a slow thread while it waits

  Outcome begin(Thread& thread, Call& call);
  void prefetch(std::span<Call* const> calls);
  // Drives the call as far as it goes on this thread.
  Outcome advance(Thread& thread, Call& call);
  Held take_tokens(Thread& thread, Call& call);
  Ran run_held(Thread& thread, Call& call);
  Ran run_walk(Thread& thread, Call& call);
  Ran end(Thread& thread, Call& call);
  void run_continuation(Thread& thread, Call& call);
  // Null: it has run. Else it must not yet: waiters of that shard are due what it comes for.
  // `clock`: the cycles at which the call before it ended; then those at which this one did.
  Shard* execute(Thread& thread, Call& call, std::uint64_t& clock);
  // The hold of a call that begins to run, or of an EXEC that has come from another thread.
  keyspace::Hold take_over(Thread& thread, Call& call);
  void hold_up(Thread& thread, Call& call, Shard& at);
  void after_run(Thread& thread, Call& call);
  static void count(Thread& thread, Call& call, std::uint64_t cycles);
  static void count_errors(Thread& thread, Call& call);
  void send_served_home(Thread& thread, const keyspace::Hold& hold);
  // Adds to what the call has taken. If that was the last of it and much, it is noted.
  static void add_cycles(Call& call, std::uint64_t cycles);
  friend void run_inside(Call& outer, Call& inner);
  friend class Transaction;
  keyspace::Hold make_hold(Thread& thread);
  void enter(Shard& shard, Epoch epoch);
  bool enter_shards(Call& call, Epoch epoch);
  void append_record(Thread& thread, keyspace::Hold& hold, storage::Log& log);
  void find_gate(Call& call, const keyspace::Hold& hold);
  // At the end of a hold: `replied` is what the output of the calls held at its beginning.
  void observe(Thread& thread, std::span<Call* const> ran, std::size_t replied);

  void release(Thread& thread, Call& call);
  void leave_waiting(Thread& thread, Call& call);
  void give_all_back(Thread& thread, Call& call);
  void pass_on(Thread& thread, Shard& shard);
  void retreat(Thread& thread, Call& call);
  void drain(Thread& thread);
  void hand_on_ready(Thread& thread);
  Outcome complete(Call& call);

  // A call that holds all its tokens and works long leaves this worker.
  void move_to_slow_lane(Thread& thread, Call& call);
  // An EXEC goes on on another thread, with its tokens and what it has done so far.
  Ran move_transaction(Thread& thread, Call& call, const keyspace::Hold& hold);
  // While it queues for a token: a thread of the slow lane is kept for a call that has given its
  // tokens back too often for want of one.
  void keep_thread(Call& call);
  void give_thread_back(Call& call);
  void announce_slow(Thread& thread, Call& call);
  Outcome finish_later(Thread& thread, Call& call);

  // Posts the call to go on on that thread, with whatever it holds.
  void post_to(Thread& thread, Call& call);
  static void go_on(runtime::Task& task);
  static void come_home(runtime::Task& task);
  static void deliver(runtime::Task& task);
  bool pauses_at(runtime::PausePoint point) {
    return pauses_ != nullptr && pauses_->stops_here(point);
  }

  ShardSet* shards_;
  const ExecutionSettings* settings_;
  runtime::PauseSource* pauses_;
  SlowLane* slow_lane_ = nullptr;
  std::atomic<storage::Log*> log_{nullptr};
  EventSink* event_sink_ = nullptr;
  RecordObserver* record_observer_ = nullptr;
  HoldObserver* hold_observer_ = nullptr;
  std::atomic<std::uint64_t> epoch_{1};
  std::atomic<std::uint64_t> cutting_{0};  // the epoch whose snapshot cuts shards now
  Waiters waiters_;
  WatchRemovals watch_removals_;
};

}  // namespace slotcar::shard
