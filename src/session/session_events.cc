// What reaches a session beside its requests: invalidations, the log's progress, the end of its
// call and of its wait for keys, the look at its limits; and what commands change of it.
#include <algorithm>
#include <utility>

#include "runtime/event_loop.h"
#include "session/invalidation.h"
#include "session/login.h"
#include "session/session.h"
#include "session/worker.h"

namespace slotcar::session {

using shard::Call;

namespace {

// How long a call may go on for a client that has ended its half of the connection.
constexpr UnixMs kHalfClosedMs = 5'000;

}  // namespace

// --- for commands ------------------------------------------------------------------------------

Listener& Session::listener() {
  if (!listener_) listener_ = std::make_unique<Listener>(*this);
  return *listener_;
}

void Session::track(const TrackingOptions& options) {
  if (!tracking_) {
    tracking_ =
        std::make_unique<Tracking>(record(), worker().id(), identity(), *services().trackers);
  }
  tracking_->track(options);
}

void Session::untrack() {
  if (tracking_) tracking_->untrack();
}

void Session::recheck_subscriptions() {
  if (!listener_ || machine().closing()) return;
  const acl::UserRef now = services().users->current(identity().user());
  if (now == nullptr || !listener_->is_allowed(*now)) return close();
  // A long SUBSCRIBE goes on in the next turn.
  const bool subscribes = listener_->changing() && under_way_ != nullptr;
  if (subscribes && !now->check(under_way_->command(), under_way_->args()).allowed()) close();
}

void Session::reset() {
  requests_.discard();
  identity().reset();
  become_default_user(*this);
  machine().set_reply_mode(ReplyMode::on);
  untrack();
  if (listener_) listener_->forget();
  services().monitors->watch(*this, false);
  services().clients->set_name(record(), "");
}

// --- invalidations -----------------------------------------------------------------------------

// The reply that is still to come may be older than an invalidation that arrives now, or be the
// change itself: it leaves first, and a client that caches it gets the change after it. A call
// that waits for keys may wait for ever, and nothing can be held back so long; but once a thread
// has begun to serve it its reply is on its way, and what is pushed afterwards is about later
// changes.
void Session::invalidate(const Invalidation& invalidation) {
  auto bytes = encode(invalidation, identity().protocol(), record().subscriptions.any());
  if (bytes.empty()) return;
  const bool under_way = tracking_ && wakeups().has_waiter(Wait::call_done) &&
                         under_way_ != nullptr && under_way_->has_command();
  // What the node answers in its own time (WAITAOF) shows no key.
  const bool reply_comes = under_way && (waiting_ ? waiting_->is_claimed()
                                                  : under_way_->command().command->runs.form !=
                                                        schema::Runs::Form::on_node);
  if (reply_comes) return push_after_reply(std::move(bytes));
  push(std::move(bytes));
}

// --- the log -----------------------------------------------------------------------------------

// Whatever comes to be durable next makes room. Who asked looks once more before it waits.
void Session::ask_log_for_room() {
  const storage::Log* log = services().scheduler->log();
  if (log != nullptr) ask_log(storage::LogMark::durable, Lsn{log->durable().value + 1});
}

// Whether its call waits for the log, and the log has come so far. (It may have been switched off.)
void Session::look_at_log() {
  if (!waiting_ || !log_waits().ends_wait()) return;
  const storage::Log* log = services().scheduler->log();
  const Lsn wanted = log_waits().wait_ends_at();
  const auto come = [log, wanted] { return log == nullptr || wanted <= log->durable(); };
  if (!come()) {
    ask_log(storage::LogMark::durable, wanted);
    if (!come()) return;
  }
  stop_waiting(shard::WaitEnd::timeout);
}

void Session::log_advanced(storage::LogMark mark) {
  log_waits().notified(mark);
  look_at_log();
  if (wakeups().has_waiter(Wait::log_room)) wakeups().wake(Wait::log_room);
  if (!outbox().bytes().empty() && !machine().finished()) flush();
}

// --- a call that waits for keys ----------------------------------------------------------------

void Session::call_finished(Call& call) {
  Session& session = *static_cast<Session*>(call.owner());
  if (call.schedule().waiter != nullptr)
    session.services().clients->set_waiter(session.record(), nullptr);
  session.waiting_.reset();
  session.wakeups().wake(Wait::call_done);
}

// On whichever thread ran the call. From `set_waiter` on the wait may be ended, and then the
// session may be gone at any moment.
bool Session::call_reachable(void* owner, const std::shared_ptr<shard::Waiter>& waiter) {
  Session& session = *static_cast<Session*>(owner);
  const std::shared_ptr<ClientRecord> record = session.shared_record();
  if (waiter) session.services().clients->set_waiter(*record, waiter);
  return !record->closing.load(std::memory_order_acquire);
}

void Session::call_waits(void* owner, const std::shared_ptr<shard::Waiter>& waiter) {
  static_cast<Session*>(owner)->begin_waiting(waiter);
}

void Session::begin_waiting(const std::shared_ptr<shard::Waiter>& waiter) {
  const Call& call = requests_.batch().last();
  waiting_ = std::make_unique<Waiting>(*this, waiter, call);
  record().last_command.set(&call.command());
  record().last_active_ms.set(worker().thread().now());
  // Until now its reply might have been near.
  if (!waiting_->is_claimed()) release_deferred_pushes();
  if (input_ended_) {
    abandon_reply();
    return close();
  }
  // It has been asked to end while the call was under way elsewhere.
  if (machine().closing()) return static_cast<void>(stop_waiting(shard::WaitEnd::abandoned));
  if (waiting_->deadline() != 0) worker().loop().arm(waiting_->timer(), waiting_->deadline());
  // The call has its own copy of its arguments, so thousands that wait hold no input buffers. What
  // was pipelined behind it stays unread; a peer that leaves is noticed nevertheless.
  requests_.decoder().release();
  stop_input();
  stream().want_end(true);
  look_at_log();
  recheck_slot(*this);
}

// --- limits, looked at again and again ---------------------------------------------------------

void Session::check_limits(UnixMs now) {
  if (!outbox().gate().open()) bound_sync_wait();
  if (machine().finished()) return;
  if (machine().closing()) {
    if (machine().lingers(now)) {
      outbox().drop();
      close();
    }
    return;
  }
  // It waits for the log's room. The disk may have begun to fail meanwhile: then its write is
  // refused. Or the room was not made by a sync, which would have woken it.
  if (wakeups().has_waiter(Wait::log_room)) {
    const storage::Log* log = services().scheduler->log();
    if (log == nullptr || log->failing() || log->admits()) return wakeups().wake(Wait::log_room);
  }
  const SessionSettings& settings = *services().settings;
  const std::int64_t timeout = settings.idle_timeout_seconds;
  const std::int64_t idle = now - record().last_active_ms.get();
  if (input_ended_ && idle > kHalfClosedMs) return cut();
  // Subscribers wait as long as they like.
  const bool waits = wakeups().has_waiter(Wait::call_done) || record().subscriptions.any();
  if (timeout > 0 && idle > timeout * 1000 && !waits) {
    outbox().drop();
    return close();
  }
  if (outbox().over_soft_limit(output_limit(), settings.pubsub, now)) {
    close_for_output();
    close();
  }
}

void Session::publish_numbers() {
  const resp::Decoder& decoder = requests_.decoder();
  record().input_bytes.set(decoder.buffered());
  record().memory.input.set(decoder.footprint());
  publish_output();
}

}  // namespace slotcar::session
