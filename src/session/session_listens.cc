// A session as a listener: to channels, and as a monitor to all commands.
#include <fmt/format.h>

#include <utility>

#include "base/limits.h"
#include "resp/words.h"
#include "session/session.h"
#include "session/worker.h"

namespace slotcar::session {

using pubsub::Kind;

// --- subscribing -------------------------------------------------------------------------------
//
// A client may name hundreds of thousands of channels in one request. Their share of a turn is
// bounded, like that of pipelined calls: the call stays under way and goes on in the next turn. The
// confirmations of each part are queued at its end, so that no message of a channel comes before
// the channel's own confirmation. In a transaction it is all done at once, because what comes
// after it there may publish.

void Session::subscribe(shard::Call& call, Kind kind, std::string_view message) {
  if (!subscriptions_) {
    subscriptions_ = std::make_unique<Subscriptions>(worker_.subscribers(), *this);
  }
  change_subscriptions(call, {.kind = kind, .adds = true, .message = message});
}

void Session::unsubscribe(shard::Call& call, Kind kind, std::string_view message) {
  SubscriptionChange change{.kind = kind, .adds = false, .message = message};
  change.all = call.size() == 1;
  if (change.all && (!subscriptions_ || subscriptions_->count(kind) == 0)) {
    return confirm(call, change, std::nullopt);
  }
  change_subscriptions(call, change);
}

void Session::change_subscriptions(shard::Call& call, const SubscriptionChange& change) {
  SubscriptionChange begun = change;
  if (call.in_transaction()) {
    change_some(call, begun, SIZE_MAX);
  } else if (!change_some(call, begun, limits::kSubscriptionsPerTurn)) {
    change_ = std::make_unique<SubscriptionChange>(begun);
  }
}

// True: that was the last of it.
bool Session::change_some(shard::Call& call, SubscriptionChange& change, std::size_t max) {
  bool more = true;
  for (; max > 0 && more; --max) {
    more = change_next(call, change);
    ++turn_calls_;
  }
  note_subscriptions();
  return !more;
}

// True: there are more.
bool Session::change_next(shard::Call& call, SubscriptionChange& change) {
  if (change.all) {
    const std::string name = *subscriptions_->names(change.kind).begin();
    subscriptions_->remove(change.kind, name);
    confirm(call, change, name);
    return subscriptions_->count(change.kind) > 0;
  }
  const std::string_view name = call.arg(change.next++);
  if (change.adds) {
    subscriptions_->add(change.kind, name);
  } else if (subscriptions_) {
    subscriptions_->remove(change.kind, name);
  }
  confirm(call, change, name);
  return change.next < call.size();
}

void Session::confirm(shard::Call& call, const SubscriptionChange& change,
                      std::optional<std::string_view> name) {
  const auto write = [&](resp::ReplyWriter& reply) {
    reply.push(3);
    reply.bulk(change.message);
    if (name) {
      reply.bulk(*name);
    } else {
      reply.null();
    }
    reply.integer(static_cast<std::int64_t>(subscription_count(change.kind)));
  };
  if (reply_mode_ == ReplyMode::on) return write(call.reply());
  // Not a reply but a message: CLIENT REPLY OFF does not silence it.
  runtime::Output message;
  resp::ReplyWriter writer(message, caller_.protocol);
  write(writer);
  push(std::move(message));
}

// As it is answered: channels and patterns together, shard channels apart.
std::size_t Session::subscription_count(Kind kind) const {
  if (!subscriptions_) return 0;
  if (kind == Kind::shard_channel) return subscriptions_->count(kind);
  return subscriptions_->count(Kind::channel) + subscriptions_->count(Kind::pattern);
}

// What has to be waited for before the call under way, whose handler has returned, can go on. Null:
// for nothing, it has ended.
Wakeup* Session::rest_of(shard::Call& call) {
  if (forgets_subscriptions_) return rest_of_forgetting();
  if (!change_) return nullptr;
  const bool ended = closing_ || (std::exchange(change_->my_turn, false) &&
                                  change_some(call, *change_, limits::kSubscriptionsPerTurn));
  if (!ended) send_part(call);
  if (ended || closing_) {
    change_.reset();
    return nullptr;
  }
  if (output_.size() > limits::kUnreadOutputMax) return &output_room_;
  change_->my_turn = true;
  return next_turn();
}

// What has been answered so far joins the queue.
void Session::send_part(shard::Call& call) {
  if (record_->reply.is_cut()) return close();  // the end of the call looks why
  record_->reply.end();
  output_.splice(std::move(call.own_output()));
  bound_reply(&call);
  publish_numbers();
  if (over_limits()) close();
}

Wakeup* Session::next_turn() {
  turn_calls_ = 0;
  worker_.go_on_next_turn(*this);
  return &next_turn_;
}

// All of them; nothing more is delivered to it. They are gone when `rest_of_forgetting` says so.
void Session::forget_subscriptions() {
  forgets_subscriptions_ = subscriptions_ != nullptr;
}

Wakeup* Session::rest_of_forgetting() {
  if (!forgets_subscriptions_) return nullptr;
  const bool ended = subscriptions_->remove_some(limits::kSubscriptionsPerTurn);
  note_subscriptions();
  if (!ended) return next_turn();
  subscriptions_.reset();
  forgets_subscriptions_ = false;
  return nullptr;
}

void Session::note_subscriptions() {
  const auto count = [this](Kind kind) {
    return subscriptions_ ? static_cast<int>(subscriptions_->count(kind)) : 0;
  };
  record_->channels.store(count(Kind::channel), std::memory_order_relaxed);
  record_->patterns.store(count(Kind::pattern), std::memory_order_relaxed);
  record_->shard_channels.store(count(Kind::shard_channel), std::memory_order_relaxed);
  const std::size_t memory = subscriptions_ ? subscriptions_->memory() : 0;
  if (record_->subscription_memory.exchange(memory, std::memory_order_relaxed) == memory) return;
  count_memory(static_cast<std::int64_t>(record_->memory()));
}

// --- being told --------------------------------------------------------------------------------

void Session::deliver(pubsub::Encodings& message) {
  if (!forgets_subscriptions_) push(message.in(caller_.protocol));
}

// Runs between two replies of this connection: whatever is under way answers into an output of its
// own, which joins the queue whole.
void Session::push(const base::SharedBytes& bytes) {
  if (drop_output_ || closing_) return;
  const runtime::Output::Mark before = output_.mark();
  output_.append(bytes, 0, bytes.size());
  hold_back(before, worker_gate(), 0);
  push_backlog_.pushed(bytes.size());
  pushed();
}

void Session::push(runtime::Output&& bytes, Lsn gate) {
  if (drop_output_ || closing_) return;
  const runtime::Output::Mark before = output_.mark();
  push_backlog_.pushed(bytes.size());
  output_.splice(std::move(bytes));
  hold_back(before, gate, 0);
  pushed();
}

// What the worker delivers now may leave once the log is durable up to there.
Lsn Session::worker_gate() const {
  return worker_.push_gate();
}

void Session::pushed() {
  if (output_.size() > PushQueue::kBytesMax) {
    mark_dirty();
  } else if (!dirty_ && !in_push_queue()) {
    worker_.queue_pushes(*this);
  }
  bound_pushes();
}

void Session::set_monitoring(bool on) {
  if (record_->monitoring.exchange(on) == on) return;
  if (on) {
    services().monitors->add(worker_, id());
  } else {
    services().monitors->remove(id());
  }
}

// As it will be run: what MULTI has queued is shown with its EXEC.
void Session::show_to_monitors(const shard::Call& call) {
  const schema::Command& command = *call.command().command;
  if (command.runs_transaction && multi_.is_open() && !multi_.is_spoilt()) {
    for (std::size_t i = 0; i < multi_.queued(); ++i) show_to_monitors(multi_.queued(i));
  }
  // What administrators do, and what may carry a password (commands before authentication), is not
  // everybody's business.
  for (const auto hidden :
       {schema::Access::admin, schema::Access::skip_monitor, schema::Access::no_auth}) {
    if (has(command.access, hidden)) return;
  }
  const std::int64_t now_us = worker_.loop().clock().unix_us();
  std::string line = fmt::format("+{}.{:06} [{} {}]", now_us / 1'000'000, now_us % 1'000'000,
                                 caller_.db.value, record_->address);
  for (const std::string_view word : call.args()) line += " " + resp::quote_word(word);
  line += "\r\n";
  services().monitors->show(worker_, line);
}

}  // namespace slotcar::session
