// Worker: a thread with an event loop, its connections, and what they share. Only that thread
// touches it, except where a function says otherwise.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "base/reclaimer.h"
#include "pubsub/local_subscribers.h"
#include "resp/decoder.h"
#include "runtime/event_loop.h"
#include "runtime/member_timer.h"
#include "session/inbox.h"
#include "session/push_queue.h"
#include "session/services.h"
#include "session/session.h"
#include "session/tls_handshakes.h"
#include "shard/call.h"
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

// Called about every millisecond while the worker has reason to (keys that expire, and the like).
class Ticker {
 public:
  virtual ~Ticker() = default;
  // Does what is due and answers when it wants to be called next (monotonic; INT64_MAX: not known).
  virtual runtime::Nanos tick(Worker& worker) = 0;
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
  pubsub::LocalSubscribers& subscribers() { return subscribers_; }
  Inbox& inbox() { return inbox_; }
  const WorkerCounters& counters() const { return counters_; }

  // Any thread: how many connections it has. A new connection goes to the worker with the fewest.
  std::size_t load() const { return load_.load(std::memory_order_relaxed); }
  void reserve_place() { load_.fetch_add(1, std::memory_order_relaxed); }
  // On this worker's thread; the place was reserved.
  void adopt(std::unique_ptr<runtime::Incoming> incoming);
  // Likewise: a session begins when the handshake is over.
  void adopt_tls(std::unique_ptr<runtime::Incoming> incoming, TlsArrival arrival);
  void begin_session(std::unique_ptr<runtime::Stream> stream);
  // A connection that became no session.
  void give_place_back() { load_.fetch_sub(1, std::memory_order_relaxed); }

  // Calls are lent to sessions while they are under way, so an idle connection has none.
  shard::Call* lend_call();
  void return_call(shard::Call* call);

  void mark_dirty(Connection& connection) { dirty_.push_back(&connection); }
  void queue_pushes(Connection& connection) { push_queue_.add(connection); }
  void go_on_next_turn(Connection& connection);
  void session_ended(Connection& connection);
  // Frees it, a slice in each turn.
  void free_later(std::unique_ptr<base::Garbage> garbage);
  // Calls `Session::log_advanced` when that mark of the log has come so far.
  void wait_for_log(const Connection& connection, storage::LogMark mark, Lsn wanted);
  // What is pushed to connections from now on may leave once the log is durable up to there; 0: at
  // once.
  void set_push_gate(Lsn gate) { push_gate_ = gate; }
  Lsn push_gate() const { return push_gate_; }
  // Any thread; the log calls it when it is durable further.
  void tell_durable(Lsn durable);
  void wake_paused();  // CLIENT UNPAUSE, or its time is over
  void close_client(ClientId id);
  void unblock_for_role_change();
  void cut_client(ClientId id);  // without sending what waits for it
  // Something that the client did not ask for now (a line for a monitor).
  void push_to(ClientId id, const base::SharedBytes& bytes);
  void invalidate(const Invalidation& invalidation);
  // The end: takes no more connections and closes those it has, but a call under way is still
  // answered. Calls `ended` once all have left, or at `deadline` if some have not.
  void end(runtime::Nanos deadline, std::function<void()> ended);

  void add_ticker(Ticker& ticker);
  // Makes sure that tickers run no later than `due`.
  void tick_by(runtime::Nanos due);

 private:
  void on_turn_end();
  void flush_all();
  void flush_dirty();
  void send_pushes();
  void reap_sessions();
  void free_a_slice();
  void take_another_turn();
  void on_tick();
  void check_clients();
  void log_advanced();
  void wake_log();
  void wake_some_paused();
  void wake_log_in_time();
  void tell_ended();
  void bound_client_memory();

  WorkerId id_;
  std::unique_ptr<runtime::EventLoop> loop_;
  Services& services_;
  shard::Thread thread_;
  resp::BlockPool blocks_;
  WorkerCounters counters_;
  pubsub::LocalSubscribers subscribers_;
  Inbox inbox_;
  std::atomic<std::size_t> load_{0};

  TlsHandshakes handshakes_{*this};
  std::unordered_map<ClientId, std::unique_ptr<Session>> sessions_;
  std::vector<ClientId> to_unpause_;  // held back by a pause that is over
  std::vector<Connection*> dirty_;
  PushQueue push_queue_;
  std::vector<Connection*> waiting_turn_;
  std::deque<ClientId> ended_;
  std::deque<std::unique_ptr<base::Garbage>> garbage_;
  std::vector<ClientId> to_check_;  // not yet in this round
  Lsn push_gate_{0};
  static constexpr std::uint64_t kNobody = UINT64_MAX;
  struct WaitForLog {
    storage::LogMark mark;
    std::atomic<std::uint64_t> wanted{kNobody};  // the least of these
    struct Session {
      Lsn wanted;
      ClientId client;
    };
    std::vector<Session> sessions = {};
  };
  WaitForLog waits_for_log_[2] = {{storage::LogMark::durable}, {storage::LogMark::safe}};
  struct LogTask : runtime::Task {
    explicit LogTask(Worker& w) : runtime::Task(&LogTask::work), worker(&w) {}
    static void work(runtime::Task& task) { static_cast<LogTask&>(task).worker->log_advanced(); }
    Worker* worker;
    std::atomic<bool> posted{false};
  } log_task_{*this};
  // Wakes the log when there is nothing else to do.
  struct IdleTask : runtime::Task {
    explicit IdleTask(Worker& w) : runtime::Task(&IdleTask::work), worker(&w) {}
    static void work(runtime::Task& task) {
      auto& self = static_cast<IdleTask&>(task);
      self.posted = false;
      if (self.worker->thread_.wakes_log) self.worker->wake_log();
    }
    Worker* worker;
    bool posted = false;
  } idle_task_{*this};
  runtime::Nanos log_put_off_since_ = 0;  // 0: it is not
  // Keeps the loop from waiting while pushes have still to be sent or memory is still to be freed.
  struct TurnTask : runtime::Task {
    TurnTask() : runtime::Task(&TurnTask::work) {}
    static void work(runtime::Task& task) { static_cast<TurnTask&>(task).posted = false; }
    bool posted = false;
  } turn_task_;
  std::vector<std::unique_ptr<shard::Call>> free_calls_;
  std::vector<Ticker*> tickers_;

  runtime::MemberTimer<&Worker::on_tick> tick_timer_{*this};
  runtime::MemberTimer<&Worker::check_clients> client_timer_{*this};
  runtime::MemberTimer<&Worker::tell_ended> end_timer_{*this};
  std::function<void()> on_ended_;  // set while it is ending
  bool ending_ = false;
};

}  // namespace slotcar::session
