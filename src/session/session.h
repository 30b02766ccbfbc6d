// Session: one connection, at home on one worker, which alone touches it. Decodes requests, keeps
// MULTI and the connection's state, starts calls and sends replies in request order.
//
// Its life is one coroutine, `serve`: receive -> decode a batch -> run it -> wait. On the fast path
// (all tokens free) nothing is allocated and the coroutine does not suspend between receiving and
// having answered. A call that has to wait suspends it; later requests of the connection do not
// start before, and nothing is received meanwhile, so the bytes that the call's arguments point
// into stay where they are.
//
// Death: `close` may be asked for at any moment (peer gone, killed, limit). The session stops
// decoding at once but lives on until the call under way has come home: a call never outlives
// the session that owns its arguments. (A call that waits for keys is made to end its wait.)
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "resp/decoder.h"
#include "router/router.h"
#include "runtime/output.h"
#include "runtime/stream.h"
#include "session/clients.h"
#include "session/fiber.h"
#include "session/multi.h"
#include "session/push_backlog.h"
#include "session/push_queue.h"
#include "session/reply_gate.h"
#include "session/services.h"
#include "session/settings.h"
#include "session/subscriptions.h"
#include "session/tracking.h"
#include "session/waiting.h"
#include "shard/call.h"

namespace slotcar::session {

struct Invalidation;

enum class ReplyMode : std::uint8_t { on, off, skip_this, skip_next };

class Session final : public runtime::StreamEvents,
                      public pubsub::Subscriber,
                      public PushQueueHook,
                      public FiberOwner {
 public:
  Session(Worker& worker, std::unique_ptr<runtime::Stream> stream,
          std::shared_ptr<ClientRecord> record);
  ~Session() override;

  void begin();  // starts the coroutine

  // --- for commands of the form on_session
  // --------------------------------------------------------
  Services& services();
  Worker& worker() { return worker_; }
  ClientRecord& record() { return *record_; }
  ClientId id() const { return record_->id; }
  runtime::Stream& stream() { return *stream_; }

  bool authenticated() const { return authenticated_; }
  void set_authenticated(bool yes);
  DbIndex db() const { return caller_.db; }
  void select(DbIndex db);
  resp::Protocol protocol() const { return caller_.protocol; }
  void set_protocol(resp::Protocol protocol);
  void set_no_touch(bool on);
  void set_no_evict(bool on);
  ReplyMode reply_mode() const { return reply_mode_; }
  void set_reply_mode(ReplyMode mode) { reply_mode_ = mode; }
  void close_after_reply() { close_after_reply_ = true; }
  // The wait that its call begins now is over, too, when the log is durable up to there.
  void end_wait_with_log(Lsn durable) { wait_ends_at_ = durable; }

  void begin_multi();
  void discard();  // leaves MULTI and forgets the watches
  void unwatch();
  // Subscribes to the names in the call's arguments, or gives them up; without names: all of the
  // kind. Each is answered by a message that bears this name. Many take several turns of the loop.
  void subscribe(shard::Call& call, pubsub::Kind kind, std::string_view message);
  void unsubscribe(shard::Call& call, pubsub::Kind kind, std::string_view message);
  // A subscriber that speaks RESP2 may do little else: replies and messages look alike there.
  bool only_listens() const {
    return record_->subscribed() && caller_.protocol == resp::Protocol::resp2;
  }

  // It is told what it did not ask for now.
  bool listens() const { return record_->subscribed() || (tracking_ && tracking_->on); }

  void set_monitoring(bool on);

  // CLIENT TRACKING; null if it was never on. Options are compatible with what is on already.
  const Tracking* tracking() const { return tracking_.get(); }
  void track(const TrackingOptions& options);
  void untrack();
  void set_caching();  // CLIENT CACHING, which the options allow
  // What the calls to come remember their reads for.
  keyspace::Tracker* tracker() const { return caller_.tracker; }

  // RESET: back to how a new connection is, authentication included.
  void reset();

  // --- for the worker
  // -------------------------------------------------------------------------------- Asks for the
  // end. With a reason it is logged.
  void close();
  // FiberOwner. Replies leave as soon as they are final: before the session waits for anything,
  // what it has answered is scheduled to be sent at the turn's end. A pipeline of quick commands
  // does not suspend, so its replies still leave in one piece.
  void before_suspending() override { mark_dirty(); }
  // At the turn's end: sends what is queued.
  void flush();
  bool finished() const { return finished_; }
  void go_on() { next_turn_.wake(); }  // its share of this turn was used up
  // Ends the wait of its call for keys, if there is one: false, or somebody else was first.
  bool stop_waiting(shard::WaitEnd why);
  void pause_ended() { unpaused_.wake(); }
  bool waits_for_unpause() const { return unpaused_.has_waiter(); }
  // The log has become durable further, or has room again.
  void log_advanced(storage::LogMark mark);
  // Replies that have waited for the log for too long give way to errors.
  void bound_sync_wait();
  // Idle for longer than `timeout`, or over a soft output limit for too long: closes.
  void check_limits(UnixMs now);
  // Into its record, for CLIENT LIST, and into the worker's sum, for maxmemory.
  void publish_numbers();

  // Nobody will get the reply of its call under way.
  void abandon_reply();

  // Between two replies: what the client did not ask for now.
  void push(const base::SharedBytes& bytes);
  void push(runtime::Output&& bytes) { push(std::move(bytes), worker_gate()); }
  void invalidate(const Invalidation& invalidation);

  // Subscriber
  void deliver(pubsub::Encodings& message) override;

  // StreamEvents
  void on_input() override;
  void on_output_room() override;
  void on_closed() override;

 private:
  enum class Taken { all, part };  // of what has arrived

  Fiber serve();
  enum class Received { some, nothing, end };
  Received receive();
  // Decodes up to a batch of requests into batch_. Only its last call may be one that runs alone;
  // requests that need no running (MULTI's queue, refusals) are answered here.
  Taken take_batch();
  // What holds for every connection of the node, looked at once for a batch of requests.
  struct NodeSituation {
    router::Reasons now;
    bool memory_limited;
  };
  NodeSituation look_at_node() const;
  // Looks at one decoded request. True: it goes into the batch.
  bool admit(shard::Call& call, const NodeSituation& node);
  router::Situation situation(const NodeSituation& node);
  bool runs_at_once(const shard::Call& call) const;
  void run_at_once(shard::Call& call);
  void stop(shard::Call& call, router::Reason reason);
  void reject(shard::Call& call, const std::string& error);
  std::string count_rejected(shard::Call& call, const std::string& error);
  void reject_late(shard::Call& call, router::Reason reason);
  template <class F>
  void answer_now(shard::Call& call, F write);
  void apply_decoder_limits();
  bool queue(shard::Call& call);
  void show_to_monitors(const shard::Call& call);
  void count_failed(const shard::Call& call, std::string_view error);
  bool batchable(const shard::Call& call) const;
  bool stopped_by_pause(const shard::Call& call) const;
  bool stopped_by(router::Reasons reasons, const shard::Call& call) const;
  std::size_t ready_for_log(std::size_t from) const;
  bool log_fails() const;
  bool log_has_room() const;
  void ask_log(storage::LogMark mark, Lsn wanted);
  void ask_log_for_room();
  void look_at_log();
  std::size_t sendable_bytes();
  // What was written to the output from there on answers so many requests, or none: it is a push.
  void hold_back(runtime::Output::Mark from, Lsn lsn, std::size_t replies) {
    if (lsn.value != 0) [[unlikely]]
      keep_until_durable(from, lsn, replies);
  }
  void keep_until_durable(runtime::Output::Mark from, Lsn lsn, std::size_t replies);
  void push(runtime::Output&& bytes, Lsn gate);
  Lsn worker_gate() const;
  shard::Scheduler::Progress run_together(std::size_t next, std::size_t count);
  bool may_receive();
  void answered(shard::Call& call);
  void batch_ended();
  void protocol_error();
  void look_like_http();
  void mark_dirty();
  bool over_limits();
  const OutputLimit& output_limit();
  bool start(shard::Call& call);
  void bound_reply(const shard::Call* call);
  void reply_given_up(shard::Call& call);
  void close_for_output();
  void bound_pushes();
  std::size_t pushed_bytes() const;
  bool has_room();
  bool await_room();
  void note_subscriptions();
  void change_subscriptions(shard::Call& call, const SubscriptionChange& change);
  bool change_some(shard::Call& call, SubscriptionChange& change, std::size_t max);
  bool change_next(shard::Call& call, SubscriptionChange& change);
  void confirm(shard::Call& call, const SubscriptionChange& change,
               std::optional<std::string_view> name);
  std::size_t subscription_count(pubsub::Kind kind) const;
  void forget_subscriptions();
  Wakeup* rest_of(shard::Call& call);
  Wakeup* rest_of_forgetting();
  Wakeup* next_turn();
  void send_part(shard::Call& call);
  void drop_output();
  void leave();
  void pushed();
  void note_tracking();
  void note_watches();
  void track_prefix(const std::string& prefix);
  void use_up_caching(const shard::Call& call);
  bool reply_under_way() const;
  void release_deferred_pushes();
  bool wants_to_send() const;
  void count_memory(std::int64_t now);
  static void call_finished(shard::Call& call);
  static bool call_reachable(void* owner, const std::shared_ptr<shard::Waiter>& waiter);
  static void call_waits(void* owner, const std::shared_ptr<shard::Waiter>& waiter);
  void begin_waiting(const std::shared_ptr<shard::Waiter>& waiter);
  void end_waiting();

  Worker& worker_;
  std::unique_ptr<runtime::Stream> stream_;
  std::shared_ptr<ClientRecord> record_;
  resp::Decoder decoder_;
  runtime::Output output_;
  Fiber fiber_;

  Wakeup input_;
  Wakeup call_done_;
  Wakeup next_turn_;
  Wakeup output_room_;
  Wakeup unpaused_;
  Wakeup log_room_;
  Wakeup room_made_;

  shard::Caller caller_;
  std::vector<shard::Call*> batch_;  // lent by the worker while under way
  bool last_alone_ = false;          // batch_'s last call does not run in a batch
  bool last_answered_ = false;       // ... and is answered already (its own output holds the reply)
  Multi multi_;
  std::unique_ptr<Subscriptions> subscriptions_;
  std::unique_ptr<SubscriptionChange> change_;  // what its call has still to do in further turns
  bool forgets_subscriptions_ = false;          // RESET, or the end: they go a few in each turn
  ReplyGate gate_;
  Lsn wait_ends_at_{0};               // what the call under way waits for; 0: not for the log
  Lsn log_asked_[2] = {};             // the worker tells when that mark is there; 0: did not ask
  std::unique_ptr<Waiting> waiting_;  // while its call waits for keys
  std::unique_ptr<Tracking> tracking_;
  shard::Call* under_way_ = nullptr;                 // the call that is waited for
  const schema::Registered* ran_at_once_ = nullptr;  // the last one since the last batch
  PushBacklog push_backlog_;
  std::int64_t counted_memory_ = 0;  // this session's part of the worker's client_memory
  UnixMs soft_limit_since_ = 0;
  UnixMs closing_since_ = 0;
  std::size_t turn_calls_ = 0;
  bool authenticated_ = false;
  bool close_after_reply_ = false;
  bool closing_ = false;      // no more requests; ends as soon as no call is under way
  bool drop_output_ = false;  // the peer is gone: nothing more is sent
  bool finished_ = false;
  bool room_wanted_ = false;  // over maxmemory, and the tokens of all candidates were held
  bool input_off_ = false;    // readiness came while we could not take it
  bool dirty_ = false;        // in the worker's list of sessions to flush
  ReplyMode reply_mode_ = ReplyMode::on;
};

}  // namespace slotcar::session
