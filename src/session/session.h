// Session: one connection, at home on one worker, which alone touches it. It receives, lets its
// requests be decoded and admitted (requests.h), starts calls and queues their replies in request
// order.
//
// Its life is one coroutine, `serve`: receive -> decode a batch -> run it -> wait. What happens
// next is decided by machines without I/O (machine.h, batch.h). On the fast path (all tokens free)
// nothing is allocated, and the coroutine does not suspend between receiving and having answered. A
// call that has to wait suspends it. Meanwhile no later request of the connection starts and
// nothing is received, so the bytes that the call's arguments point into stay where they are.
//
// The end: `close` may be called at any moment (the peer is gone, it was killed, a limit). The
// session stops decoding at once, but lives on until the call under way has come home: a call never
// outlives the session that owns its arguments. A call that waits for keys is made to end its wait.
#pragma once

#include <memory>

#include "runtime/stream.h"
#include "session/connection.h"
#include "session/fiber.h"
#include "session/listener.h"
#include "session/requests.h"
#include "session/tracking.h"
#include "session/waiting.h"
#include "shard/call.h"
#include "shard/scheduler.h"

namespace slotcar::session {

struct Invalidation;

class Session final : public Connection, public runtime::StreamEvents, public FiberOwner {
 public:
  Session(Worker& worker, std::unique_ptr<runtime::Stream> stream,
          std::shared_ptr<ClientRecord> record);
  ~Session() override;

  void begin();  // starts the coroutine

  // --- for commands of the form on_session. Parts that few connections need are made on first use.
  Requests& requests() { return requests_; }
  Listener& listener();
  Tracking* tracking() const { return tracking_.get(); }  // null: it was never on
  void track(const TrackingOptions& options);
  void untrack();
  // It is pushed what it did not ask for.
  bool listens() const { return record().subscriptions.any() || (tracking_ && tracking_->on()); }
  // Closes it if its user may not listen to all that it is subscribed to any more.
  void recheck_subscriptions();
  // RESET: back to how a new connection is, authentication included.
  void reset();

  // --- for the worker
  // FiberOwner. Replies leave as soon as they are final: before the session waits for anything,
  // what it has answered is scheduled to be sent at the turn's end. A pipeline of quick commands
  // does not suspend, so its replies still leave in one piece.
  void before_suspending() override { mark_dirty(); }
  // The log has become durable further, or has room again.
  void log_advanced(storage::LogMark mark);
  // Closes it if it has been idle for longer than `timeout`, or over a soft output limit for too
  // long.
  void check_limits(UnixMs now);
  // Into its record, for CLIENT LIST, and into the worker's sum, for maxmemory-clients.
  void publish_numbers();
  void invalidate(const Invalidation& invalidation);

  // StreamEvents
  void on_input() override;
  void on_output_room() override;
  void on_closed() override;

  // The call is this session's, and notifies it when it waits and when it is done.
  void own(shard::Call& call, shard::Thread& thread) {
    call.set_home(thread, &Session::call_finished, this);
    call.set_on_waiting(&Session::call_reachable, &Session::call_waits);
    call.own_output().set_guard(&record().reply);
  }

 private:
  Fiber serve();
  enum class Received : std::uint8_t { some, nothing, end };
  Received receive();
  shard::Scheduler::Progress run_together(std::size_t count);
  bool start(shard::Call& call);
  Wait rest_of(shard::Call& call);
  Wait rest_of_forgetting();
  Wait next_turn();
  void send_part(shard::Call& call);
  void answered(shard::Call& call);
  void reply_given_up(shard::Call& call);
  bool over_limits();
  bool may_receive();
  void stop_input();
  void leave();

  void look_at_log();
  void ask_log_for_room();
  static void call_finished(shard::Call& call);
  static bool call_reachable(void* owner, const std::shared_ptr<shard::Waiter>& waiter);
  static void call_waits(void* owner, const std::shared_ptr<shard::Waiter>& waiter);
  void begin_waiting(const std::shared_ptr<shard::Waiter>& waiter);

  Requests requests_;
  Fiber fiber_;
  std::unique_ptr<Listener> listener_;
  std::unique_ptr<Tracking> tracking_;
  std::unique_ptr<Waiting> waiting_;  // while its call waits for keys
  shard::Call* under_way_ = nullptr;  // the call that is waited for
  bool input_off_ = false;            // readiness came while it could not be taken
  bool input_ended_ = false;          // the peer sends no more; it may still read
};

}  // namespace slotcar::session
