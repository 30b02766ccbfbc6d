// Worker: a thread with an event loop, its connections, and what they share. Only that thread
// touches it, except where a function says otherwise. What it does is in its parts (worker/): this
// class takes connections in, puts the parts in order at the end of each turn, and ends.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "base/counter.h"
#include "base/ids.h"
#include "pubsub/local_subscribers.h"
#include "resp/decoder.h"
#include "runtime/event_loop.h"
#include "runtime/member_timer.h"
#include "session/inbox.h"
#include "session/services.h"
#include "session/session.h"
#include "session/tls_handshakes.h"
#include "session/worker/call_pool.h"
#include "session/worker/garbage_queue.h"
#include "session/worker/log_waiters.h"
#include "session/worker/log_waker.h"
#include "session/worker/next_turn.h"
#include "session/worker/send_queue.h"
#include "session/worker/sessions.h"
#include "session/worker/tickers.h"
#include "shard/thread.h"

namespace slotcar::session {

// Traffic of one worker, summed by INFO.
struct WorkerCounters {
  base::Counter input_bytes;
  base::Counter output_bytes;
  base::Counter reads;
  base::Counter writes;
  base::Counter client_memory;  // buffers of its connections
};

class Worker {
 public:
  Worker(WorkerId id, std::unique_ptr<runtime::EventLoop> loop, Services& services,
         std::uint64_t random_seed);
  ~Worker();

  WorkerId id() const { return id_; }
  runtime::EventLoop& loop() { return *loop_; }
  shard::Thread& thread() { return thread_; }
  const shard::Thread& thread() const { return thread_; }
  Services& services() { return services_; }
  resp::BlockPool& blocks() { return blocks_; }
  WorkerCounters& counters() { return counters_; }
  const WorkerCounters& counters() const { return counters_; }

  // Its parts.
  pubsub::LocalSubscribers& subscribers() { return subscribers_; }
  Inbox& inbox() { return inbox_; }
  CallPool& calls() { return calls_; }
  NextTurn& next_turn() { return next_turn_; }
  SendQueue& send_queue() { return send_queue_; }
  GarbageQueue& garbage() { return garbage_; }
  Sessions& sessions() { return sessions_; }
  LogWaiters& log_waiters() { return log_waiters_; }
  Tickers& tickers() { return tickers_; }

  // --- connections
  // Any thread: how many it has. A new connection goes to the worker with the fewest.
  std::size_t load() const { return load_.load(std::memory_order_relaxed); }
  void reserve_place() { load_.fetch_add(1, std::memory_order_relaxed); }
  // On this worker's thread; the place was reserved.
  void adopt(std::unique_ptr<runtime::Incoming> incoming);
  // Likewise: a session begins when the handshake is over.
  void adopt_tls(std::unique_ptr<runtime::Incoming> incoming, TlsArrival arrival);
  // `user`: the one its certificate names (tls-auth-clients-user); empty: the default user.
  void begin_session(std::unique_ptr<runtime::Stream> stream, std::string_view user, bool by_tls);
  // A connection has ended, or became no session.
  void give_place_back() { load_.fetch_sub(1, std::memory_order_relaxed); }

  // The end: takes no more connections and closes those it has, but a call under way is still
  // answered. Calls `ended` once all have left, or at `deadline` if some have not.
  void end(runtime::Nanos deadline, std::function<void()> ended);

 private:
  void on_turn_end();
  void has_ended();

  WorkerId id_;
  std::unique_ptr<runtime::EventLoop> loop_;
  Services& services_;
  shard::Thread thread_;
  resp::BlockPool blocks_;
  WorkerCounters counters_;
  pubsub::LocalSubscribers subscribers_;
  Inbox inbox_;
  std::atomic<std::size_t> load_{0};

  CallPool calls_;
  NextTurn next_turn_{*loop_};
  SendQueue send_queue_{next_turn_};
  GarbageQueue garbage_{next_turn_};
  TlsHandshakes handshakes_{*this};
  Sessions sessions_{*this};
  LogWaiters log_waiters_;
  LogWaker log_waker_{thread_, *services_.scheduler};
  Tickers tickers_{*this};

  runtime::MemberTimer<&Worker::has_ended> end_timer_{*this};
  std::function<void()> on_ended_;  // set while it is ending
};

}  // namespace slotcar::session
