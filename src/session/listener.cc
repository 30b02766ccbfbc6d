#include "session/listener.h"

#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "schema/slot.h"
#include "session/worker.h"

namespace slotcar::session {

using pubsub::Kind;

Listener::Listener(Connection& connection)
    : connection_(connection), subscriptions_(connection.worker().subscribers(), *this) {}

void Listener::subscribe(shard::Call& call, Kind kind, std::string_view message) {
  begin_change(call, {.kind = kind, .adds = true, .message = message});
}

void Listener::unsubscribe(shard::Call& call, Kind kind, std::string_view message) {
  // What was published before this is still the subscriber's.
  connection_.worker().inbox().empty_early();
  SubscriptionChange change{.kind = kind, .adds = false, .message = message};
  change.all = call.size() == 1;
  if (change.all && subscriptions_.count(kind) == 0) return confirm(call, change, std::nullopt);
  begin_change(call, change);
}

void Listener::begin_change(shard::Call& call, SubscriptionChange change) {
  const std::size_t max = call.in_transaction() ? SIZE_MAX : limits::kSubscriptionsPerTurn;
  if (!change_some(call, change, max)) change_ = change;
}

bool Listener::change_more(shard::Call& call) {
  return std::exchange(change_->my_turn, false) &&
         change_some(call, *change_, limits::kSubscriptionsPerTurn);
}

// True: that was the last of it.
bool Listener::change_some(shard::Call& call, SubscriptionChange& change, std::size_t max) {
  bool more = true;
  for (; max > 0 && more; --max) {
    more = change_next(call, change);
    connection_.machine().count_call();
  }
  note();
  return !more;
}

// True: there are more.
bool Listener::change_next(shard::Call& call, SubscriptionChange& change) {
  if (change.all) {
    const std::string name = *subscriptions_.names(change.kind).begin();
    subscriptions_.remove(change.kind, name);
    confirm(call, change, name);
    return subscriptions_.count(change.kind) > 0;
  }
  const std::string_view name = call.arg(change.next++);
  if (change.adds) {
    subscriptions_.add(change.kind, name);
  } else {
    subscriptions_.remove(change.kind, name);
  }
  confirm(call, change, name);
  return change.next < call.size();
}

void Listener::confirm(shard::Call& call, const SubscriptionChange& change,
                       std::optional<std::string_view> name) {
  const auto write = [&](resp::ReplyWriter& reply) {
    reply.push(3);
    reply.bulk(change.message);
    if (name) {
      reply.bulk(*name);
    } else {
      reply.null();
    }
    reply.integer(static_cast<std::int64_t>(subscriptions_.answered_count(change.kind)));
  };
  if (connection_.machine().reply_mode() == ReplyMode::on) {
    confirmed_ = true;
    return write(call.reply());
  }
  // It is a message and no reply: CLIENT REPLY OFF does not silence it.
  runtime::Output message;
  resp::ReplyWriter writer(message, connection_.identity().protocol());
  write(writer);
  connection_.push(std::move(message));
}

bool Listener::leave_lost_slots(const router::Redirects& redirects) {
  if (forgets_) return true;
  const Subscriptions::Names& names = subscriptions_.names(Kind::shard_channel);
  std::vector<std::string> lost;
  for (const std::string& name : names) {
    if (redirects.keeps_channels(schema::slot_of(name))) continue;
    lost.push_back(name);
    if (lost.size() == limits::kSubscriptionsPerTurn) break;
  }
  for (const std::string& name : lost) {
    subscriptions_.remove(Kind::shard_channel, name);
    runtime::Output message;
    resp::ReplyWriter writer(message, connection_.identity().protocol());
    writer.push(3);
    writer.bulk("sunsubscribe");
    writer.bulk(name);
    writer.integer(static_cast<std::int64_t>(subscriptions_.count(Kind::shard_channel)));
    connection_.push(std::move(message));
  }
  if (!lost.empty()) note();
  return lost.size() < limits::kSubscriptionsPerTurn;
}

bool Listener::forget_some() {
  const bool ended = subscriptions_.remove_some(limits::kSubscriptionsPerTurn);
  note();
  return ended;
}

// For CLIENT LIST, and into the sums that bound memory.
void Listener::note() {
  ClientRecord& record = connection_.record();
  const auto count = [this](Kind kind) { return static_cast<int>(subscriptions_.count(kind)); };
  record.subscriptions.channels.set(count(Kind::channel));
  record.subscriptions.patterns.set(count(Kind::pattern));
  record.subscriptions.shard_channels.set(count(Kind::shard_channel));
  const std::size_t memory = subscriptions_.memory();
  if (record.memory.subscriptions == memory) return;
  record.memory.subscriptions = memory;
  connection_.count_memory(static_cast<std::int64_t>(record.memory.sum()));
}

bool Listener::is_allowed(const acl::User& user) const {
  for (const auto kind :
       {pubsub::Kind::pattern, pubsub::Kind::channel, pubsub::Kind::shard_channel}) {
    for (const std::string& name : subscriptions_.names(kind)) {
      if (!user.may_listen(name, kind == pubsub::Kind::pattern)) return false;
    }
  }
  return true;
}

void Listener::deliver(pubsub::Encodings& message) {
  // A client of another worker may have killed it, and had its answer, before this was published.
  if (forgets_ || connection_.record().closing.load(std::memory_order_acquire)) return;
  connection_.push(message.in(connection_.identity().protocol()));
}

}  // namespace slotcar::session
