// Thread: what a worker, a slow-lane thread or the snapshot's brings along when it runs calls. Each
// thread has its own, touches only its own, and others read the counters.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/counter.h"
#include "base/ids.h"
#include "keyspace/effects.h"
#include "keyspace/hold.h"
#include "keyspace/watch/pending_notifications.h"
#include "runtime/clock.h"
#include "runtime/event_loop.h"
#include "runtime/executor.h"
#include "runtime/random.h"
#include "shard/call_list.h"
#include "shard/command_latency.h"
#include "shard/error_codes.h"
#include "storage/log/log_block.h"

namespace slotcar::schema {
struct Registered;
}

namespace slotcar::shard {

class Shard;

// Per command and thread; INFO commandstats sums them.
struct CommandCounters {
  base::Counter calls;
  base::Counter cycles;
  base::Counter cycles_max;  // of one call
  base::Counter rejected;
  base::Counter failed;
  CommandLatency latency;
};

// How often the rare ways were taken. A simulation in which one stays 0 has shown nothing.
struct SchedulingCounters {
  base::Counter queued;                 // calls that had to queue for a token
  base::Counter run_for_others;         // queued calls run by the thread that released
  base::Counter handed_over;            // batches of a queue posted to another thread
  base::Counter retreats;               // multi-shard calls that gave way to a slow holder
  base::Counter slow_held;              // calls that went to a slow thread with their tokens
  base::Counter slow_requeued;          // calls that gave them back for want of a slow thread
  base::Counter transactions_moved;     // EXECs that went on on another thread in the middle
  base::Counter scripts_again_by_key;   // scripts that were taken back and began anew: a key
  base::Counter scripts_again_by_time;  // ... or their length
  base::Counter batches;
  base::Counter batch_cut;  // batches that ended early at a token held elsewhere
};

// The longest one of many, and whose it was. Written by one thread, read by any.
class Longest {
 public:
  void note(std::uint64_t begin, std::uint64_t end, const schema::Registered* whose) {
    const auto took = static_cast<std::int64_t>(end - begin);
    if (took <= cycles_.get()) [[likely]]
      return;
    cycles_.set(took);
    whose_.store(whose, std::memory_order_relaxed);
  }
  std::int64_t cycles() const { return cycles_.get(); }
  const schema::Registered* whose() const { return whose_.load(std::memory_order_relaxed); }
  void forget() {
    cycles_.set(0);
    whose_.store(nullptr, std::memory_order_relaxed);
  }

 private:
  base::Counter cycles_;
  std::atomic<const schema::Registered*> whose_{nullptr};
};

// Calls that wait for keys, and what became of them.
struct WaitingCounters {
  base::Counter waits;           // calls that had to wait
  base::Counter served;          // ... and got what they waited for
  base::Counter claims_lost;     // another thread was first: a timeout, a push, a kill
  base::Counter waiter_tasks;    // queues served by an internal call
  base::Counter deferred_calls;  // calls that came for what waiters were due, and waited for them
  base::Counter tasks_waiting_for_log;  // waiter tasks that had to wait for the log
  base::Counter keys;                   // that a call waits for now; may be negative for one thread
  base::Counter keys_wanting_end;       // of these, with a waiter that is run when the key goes
};

// What a module above this one keeps for each thread: the interpreter of scripts.
struct ThreadPart {
  virtual ~ThreadPart() = default;
};

// What a thread is there for. Calls of clients run on workers and slow threads alone.
enum class Duty : std::uint8_t {
  connections,  // a worker's
  long_calls,   // a slow thread's
  own_calls,    // the snapshot's: it takes tokens for itself, and what becomes ready when it gives
                // one back goes to the worker where that is at home
};

struct alignas(128) Thread {
  // A worker's, on its loop.
  Thread(runtime::EventLoop& l, std::uint64_t random_seed, std::size_t command_count)
      : runner(&l), loop(&l), clock(&l.clock()), random(random_seed), commands(command_count) {}
  // One without turns.
  Thread(runtime::TaskRunner& r, runtime::Clock& c, std::uint64_t random_seed,
         std::size_t command_count, Duty its_duty = Duty::long_calls)
      : runner(&r),
        clock(&c),
        random(random_seed),
        commands(command_count),
        is_slow(its_duty == Duty::long_calls),
        duty(its_duty) {}

  runtime::TaskRunner* runner;
  runtime::EventLoop* loop = nullptr;
  runtime::Clock* clock;
  runtime::FastRandom random;
  std::vector<CommandCounters> commands;
  bool is_slow = false;
  Duty duty = Duty::connections;

  keyspace::Effects effects;
  storage::LogAppender appender;  // with which they are written into the log
  bool wakes_log = false;         // a worker's: it has appended, and has still to wake the log
  keyspace::PendingNotifications notifications;  // empty between two holds
  keyspace::KeyspaceCounters keyspace;
  SchedulingCounters scheduling;
  Longest longest_hold;           // from the last token taken to the first given back
  base::Counter longest_turn_ns;  // a worker's: from the end of one wait to the next
  base::Counter commands_processed;
  base::Counter errors;
  ErrorCodes error_codes;
  base::Counter changes;  // since the last save: Redis's dirty

  // A worker's time is that of its turn; a slow thread has no turns and asks the clock.
  UnixMs now() const { return loop != nullptr ? loop->turn_unix_ms() : clock->unix_ms(); }

  WaitingCounters waiting;
  std::vector<keyspace::WaitedKey*> signals;  // keys to be served at the end of this hold
  CallList served;  // waiters that this hold has answered; they go home when it is closed

  std::unique_ptr<ThreadPart> scripts;  // made by the first script that it runs (src/eval)

  std::vector<Shard*> batch_tokens;  // run_batch's, kept for its allocation
  CallList ready;         // calls that got a token from this thread and wait for it to run them
  bool draining = false;  // the list is being run further up this stack
};

}  // namespace slotcar::shard
