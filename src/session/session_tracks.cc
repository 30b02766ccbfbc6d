// A session that tracks keys (CLIENT TRACKING), and one that is notified which of them are stale.
#include <algorithm>
#include <utility>

#include "session/notifier.h"
#include "session/session.h"
#include "session/worker.h"

namespace slotcar::session {

using keyspace::Tracker;

void Session::track(const TrackingOptions& options) {
  if (!tracking_) {
    tracking_ = std::make_unique<Tracking>();
    tracking_->tracker = std::make_shared<Tracker>(id(), worker_.id());
    record_->publish_tracker(tracking_->tracker);
  }
  Tracker& tracker = *tracking_->tracker;
  tracking_->on = true;
  tracking_->options = options;
  tracker.noloop.store(options.noloop, std::memory_order_relaxed);
  tracker.redirect.store(options.redirect.value, std::memory_order_relaxed);
  tracker.redirect_broken.store(false, std::memory_order_relaxed);
  tracker.mode.store(options.by_prefix ? Tracker::Mode::by_prefix : Tracker::Mode::by_key,
                     std::memory_order_release);
  services().trackers->add(tracking_->tracker);
  if (options.by_prefix) {
    for (const std::string& prefix : options.prefixes) track_prefix(prefix);
    if (options.prefixes.empty()) track_prefix("");
  }
  note_tracking();
}

void Session::track_prefix(const std::string& prefix) {
  if (!tracking_->prefixes.insert(prefix).second) return;
  services().trackers->add_prefix(prefix, tracking_->tracker);
  record_->tracking_memory.fetch_add(prefix.size() + ClientRecord::kNameBytes,
                                     std::memory_order_relaxed);
}

void Session::untrack() {
  if (!tracking_ || !tracking_->on) return;
  tracking_->tracker->mode.store(Tracker::Mode::off, std::memory_order_release);
  tracking_->tracker->redirect_broken.store(false, std::memory_order_relaxed);
  services().trackers->remove(tracking_->tracker);
  tracking_->on = tracking_->caching = tracking_->caching_used = false;
  tracking_->options = {};
  tracking_->prefixes.clear();
  record_->tracking_memory.store(0, std::memory_order_relaxed);
  note_tracking();
}

void Session::set_caching() {
  tracking_->caching = true;
  note_tracking();
}

// Whether the reads of the calls to come are remembered.
void Session::note_tracking() {
  caller_.tracker = tracking_ && tracking_->remembers_reads() ? tracking_->tracker.get() : nullptr;
}

// CLIENT CACHING holds for the next command, or for the whole transaction if that is MULTI; other
// CLIENT commands do not count.
void Session::use_up_caching(const shard::Call& call) {
  const schema::Command& command = *call.command().command;
  tracking_->caching_used = false;
  if (!tracking_->caching || command.name.starts_with("CLIENT|")) return;
  if (multi_.is_open() && !command.runs_transaction) return;
  tracking_->caching = false;
  tracking_->caching_used = true;
  note_tracking();
}

// The reply that is still to come may be older than an invalidation that arrives now, or be the
// change itself: it leaves first, and whoever caches it hears of the change after it. A call that
// waits for keys may wait for ever, and nothing can be held back so long; but once somebody has
// begun to serve it its reply is on its way, and what is pushed afterwards is about later changes.
bool Session::reply_under_way() const {
  if (!call_done_.has_waiter() || under_way_ == nullptr || !under_way_->has_command()) return false;
  if (waiting_) return waiting_->waiter->is_claimed();
  // What the node answers in its own time (WAITAOF) tells of no key.
  return under_way_->command().command->runs.form != schema::Runs::Form::on_node;
}

void Session::invalidate(const Invalidation& invalidation) {
  const bool third = caller_.protocol == resp::Protocol::resp3;
  // A RESP2 connection can be notified only as a subscriber, and only in another's place.
  const bool as_message = !third && invalidation.redirected && record_->subscribed();
  if (!third && !as_message) return;
  if (!third && invalidation.what == Invalidation::What::redirect_broken) return;
  runtime::Output bytes;
  resp::ReplyWriter reply(bytes, caller_.protocol);
  if (invalidation.what == Invalidation::What::redirect_broken) {
    reply.push(2);
    reply.bulk("tracking-redir-broken");
    reply.integer(static_cast<std::int64_t>(invalidation.redirect.value));
  } else {
    if (as_message) {
      reply.array(3);
      reply.bulk("message");
      reply.bulk("__redis__:invalidate");
    } else {
      reply.push(2);
      reply.bulk("invalidate");
    }
    if (invalidation.what == Invalidation::What::everything) {
      reply.null_array();
    } else {
      reply.array(invalidation.keys->size());
      for (const std::string& key : *invalidation.keys) reply.bulk(key);
    }
  }
  if (tracking_ && reply_under_way()) {
    tracking_->held_back.splice(std::move(bytes));
    tracking_->held_back_gate = std::max(tracking_->held_back_gate, worker_gate());
    return bound_pushes();
  }
  push(std::move(bytes));
}

void Session::release_deferred_pushes() {
  if (!tracking_ || tracking_->held_back.empty()) return;
  push(std::move(tracking_->held_back), std::exchange(tracking_->held_back_gate, Lsn{0}));
}

}  // namespace slotcar::session
