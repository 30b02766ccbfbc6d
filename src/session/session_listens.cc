// A session as a listener: to channels, and as a monitor to all commands.
#include <fmt/format.h>

#include "resp/words.h"
#include "session/session.h"
#include "session/worker.h"

namespace slotcar::session {

using pubsub::Kind;

bool Session::subscribe(Kind kind, std::string_view name) {
  if (!subscriptions_) {
    subscriptions_ = std::make_unique<Subscriptions>(worker_.subscribers(), *this);
  }
  const bool added = subscriptions_->add(kind, name);
  note_subscriptions();
  return added;
}

bool Session::unsubscribe(Kind kind, std::string_view name) {
  const bool removed = subscriptions_ && subscriptions_->remove(kind, name);
  note_subscriptions();
  return removed;
}

std::vector<std::string> Session::subscribed_to(Kind kind) const {
  if (!subscriptions_) return {};
  return {subscriptions_->names(kind).begin(), subscriptions_->names(kind).end()};
}

std::size_t Session::subscription_count(Kind kind) const {
  if (!subscriptions_) return 0;
  if (kind == Kind::shard_channel) return subscriptions_->count(kind);
  return subscriptions_->count(Kind::channel) + subscriptions_->count(Kind::pattern);
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

void Session::deliver(pubsub::Encodings& message) {
  push(message.in(caller_.protocol));
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
