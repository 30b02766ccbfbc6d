#include "slotcar/subscriber.h"

#include "subscriber_state.h"

namespace slotcar::client {
namespace detail {
namespace {

HandshakeRules introductions(const Options& options) {
  return {.protocol = options.protocol,
          .username = options.username,
          .password = options.password,
          .client_name = options.client_name,
          .must_be_master = options.topology == Topology::sentinel};
}

std::size_t size_of(const Message& message) {
  return message.channel.size() + message.pattern.size() + message.payload.size();
}

}  // namespace

SubscriberState::Line::Line(SubscriberState& s, Node& n)
    : state(s),
      node(n),
      machine(introductions(s.core_->options()), *this),
      connection(s.core_->first_thread(), s.core_->parts().connection, n, s.core_->parts().resolver,
                 machine) {}

SubscriberState::SubscriberState(std::shared_ptr<Core> core) : core_(std::move(core)) {}

// The last owner has shut it down.
SubscriberState::~SubscriberState() = default;

void SubscriberState::shut_down() {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(closed_, true)) return;
  }
  news_.notify_all();
  if (!core_) return;
  settle();
  if (core_->first_thread().is_current()) {
    // Perhaps inside its own callback, on the stack of the connection that is to be closed.
    core_->first_thread().post([self = shared_from_this()] { self->end_lines(); });
    return;
  }
  core_->first_thread().run_and_wait([this] { end_lines(); });
}

void SubscriberState::end_lines() {
  for (const auto& line : lines_) {
    line->connection.close({Error::Kind::closed, Error::Ran::no, "the subscriber has ended"});
    core_->pubsub_connections().fetch_sub(1, std::memory_order_relaxed);
  }
  lines_.clear();
}

SubscriberState::Line& SubscriberState::line_to(Node& node) {
  for (const auto& line : lines_) {
    if (&line->node == &node) return *line;
  }
  lines_.push_back(std::make_unique<Line>(*this, node));
  core_->pubsub_connections().fetch_add(1, std::memory_order_relaxed);
  lines_.back()->connection.open();
  return *lines_.back();
}

SubscriberState::Line& SubscriberState::line_for(const Subscription& subscription) {
  if (subscription.kind == Message::Kind::shard && core_->is_cluster()) {
    if (Node* node = core_->node_for_key(subscription.name)) return line_to(*node);
  }
  return lines_.empty() ? line_to(core_->any_node()) : *lines_[0];
}

void SubscriberState::ask_at(Line& line, const Subscription& subscription) {
  line.machine.add(subscription);
  line.connection.changed();
}

void SubscriberState::tell_line(const Subscription& subscription, bool add) {
  if (add) return ask_at(line_for(subscription), subscription);
  for (const auto& line : lines_) {
    if (!line->machine.wanted().contains(subscription)) continue;
    line->machine.remove(subscription);
    line->connection.changed();
    return;
  }
  on_confirmed(subscription, false, {});
}

void SubscriberState::on_moved(Line& from, const Subscription& subscription,
                               const std::string& redirect) {
  core_->note_moved();
  // Messages published between the move and the new subscription are lost.
  on_gap({subscription});
  Node* node = core_->node_for_redirect(redirect, from.node);
  ask_at(node ? line_to(*node) : line_for(subscription), subscription);
}

void SubscriberState::follow_map() {
  std::vector<Subscription> moving;
  for (const auto& line : lines_) {
    for (const Subscription& subscription : line->machine.wanted()) {
      if (subscription.kind != Message::Kind::shard) continue;
      const Node* node = core_->node_for_key(subscription.name);
      if (node && node != &line->node) moving.push_back(subscription);
    }
    for (const Subscription& subscription : moving) line->machine.forget(subscription);
  }
  for (const Subscription& subscription : moving) {
    on_gap({subscription});
    ask_at(line_for(subscription), subscription);
  }
}

Status SubscriberState::change(const Subscription& subscription, bool add, Millis at_most) {
  if (!core_) return Error{Error::Kind::usage, Error::Ran::no, "the client's options are wrong"};
  if (core_->must_not_wait()) {
    return Error{Error::Kind::usage, Error::Ran::no, "subscribing waits; not on the I/O thread"};
  }
  const auto until = std::chrono::steady_clock::now() + at_most;
  std::unique_lock lock(mutex_);
  const Error closed{Error::Kind::closed, Error::Ran::no, "the client is closed"};
  if (closed_) return closed;
  refused_.erase(subscription);
  if (confirmed_.contains(subscription) == add) return {};
  core_->first_thread().post([this, subscription, add] { tell_line(subscription, add); });
  const bool answered = news_.wait_until(lock, until, [&] {
    return closed_ || confirmed_.contains(subscription) == add || refused_.contains(subscription);
  });
  if (closed_) return closed;
  if (!answered) {
    return Error{Error::Kind::timeout, Error::Ran::unknown,
                 "no confirmation in time; it is asked for again on each connection"};
  }
  if (const auto refused = refused_.find(subscription); refused != refused_.end()) {
    return refused->second;
  }
  return {};
}

std::optional<Message> SubscriberState::next(Millis at_most) {
  const auto until = std::chrono::steady_clock::now() + at_most;
  std::unique_lock lock(mutex_);
  news_.wait_until(lock, until, [&] { return closed_ || has_message(); });
  if (!has_message()) return std::nullopt;
  return take_next();
}

Message SubscriberState::take_next() {
  if (unreported_drops_ == 0) return take_oldest();
  Message gap{.kind = Message::Kind::gap};
  gap.gap.dropped = std::exchange(unreported_drops_, 0);
  return gap;
}

Message SubscriberState::take_oldest() {
  Message message = std::move(messages_.front());
  messages_.pop_front();
  message_bytes_ -= size_of(message);
  return message;
}

void SubscriberState::set_callback(std::function<void(const Message&)> callback) {
  const std::lock_guard lock(mutex_);
  callback_ = std::make_shared<const std::function<void(const Message&)>>(std::move(callback));
}

std::uint64_t SubscriberState::gaps() const {
  const std::lock_guard lock(mutex_);
  return gaps_;
}

std::uint64_t SubscriberState::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

void SubscriberState::report_gaps() {
  const std::lock_guard lock(mutex_);
  report_gaps_ = true;
}

void SubscriberState::on_message(Message&& message) {
  deliver(std::move(message));
  settle();
}

void SubscriberState::deliver(Message&& message) {
  std::shared_ptr<const std::function<void(const Message&)>> callback;
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return;
    callback = callback_;
    if (!callback) {
      message_bytes_ += size_of(message);
      messages_.push_back(std::move(message));
      // The newest message is kept, however long it is.
      while (messages_.size() > 1 && (messages_.size() > limits::kSubscriberBacklogMax ||
                                      message_bytes_ > limits::kSubscriberBacklogBytesMax)) {
        (void)take_oldest();
        ++dropped_;
        if (report_gaps_) ++unreported_drops_;
      }
    }
  }
  if (callback) return run_guarded(*core_, [&] { (*callback)(message); });
  news_.notify_all();
}

void SubscriberState::on_confirmed(const Subscription& subscription, bool added, Status status) {
  std::optional<Message> gap;
  {
    const std::lock_guard lock(mutex_);
    if (!status) {
      refused_[subscription] = status.error();
    } else if (added) {
      confirmed_.insert(subscription);
    } else {
      confirmed_.erase(subscription);
    }
    const auto since = interrupted_.find(subscription);
    // A refused one stays interrupted.
    if (status && since != interrupted_.end()) {
      const bool pattern = subscription.kind == Message::Kind::pattern;
      if (report_gaps_ && added) {
        gap = Message{.kind = Message::Kind::gap,
                      .channel = pattern ? "" : subscription.name,
                      .pattern = pattern ? subscription.name : ""};
        gap->gap = {.since = since->second, .until = std::chrono::system_clock::now()};
      }
      interrupted_.erase(since);
    }
  }
  news_.notify_all();
  if (gap) deliver(std::move(*gap));
  settle();
}

void SubscriberState::on_gap(const std::set<Subscription>& interrupted) {
  const std::lock_guard lock(mutex_);
  ++gaps_;
  // A subscription that fails again before it was confirmed keeps the time of its first loss.
  for (const Subscription& subscription : interrupted) {
    if (confirmed_.contains(subscription)) {
      interrupted_.try_emplace(subscription, std::chrono::system_clock::now());
    }
  }
}

}  // namespace detail

Subscriber::Subscriber(std::shared_ptr<detail::SubscriberState> state) : state_(std::move(state)) {}
Subscriber::~Subscriber() {
  if (state_) state_->shut_down();
}
Subscriber::Subscriber(Subscriber&&) noexcept = default;
Subscriber& Subscriber::operator=(Subscriber&& other) noexcept {
  if (this == &other) return *this;
  if (state_) state_->shut_down();
  state_ = std::move(other.state_);
  return *this;
}

Status Subscriber::subscribe(std::string_view channel, Millis at_most) {
  return state_->change({Message::Kind::message, std::string(channel)}, true, at_most);
}
Status Subscriber::psubscribe(std::string_view pattern, Millis at_most) {
  return state_->change({Message::Kind::pattern, std::string(pattern)}, true, at_most);
}
Status Subscriber::ssubscribe(std::string_view channel, Millis at_most) {
  return state_->change({Message::Kind::shard, std::string(channel)}, true, at_most);
}
Status Subscriber::unsubscribe(std::string_view channel, Millis at_most) {
  return state_->change({Message::Kind::message, std::string(channel)}, false, at_most);
}
Status Subscriber::punsubscribe(std::string_view pattern, Millis at_most) {
  return state_->change({Message::Kind::pattern, std::string(pattern)}, false, at_most);
}
Status Subscriber::sunsubscribe(std::string_view channel, Millis at_most) {
  return state_->change({Message::Kind::shard, std::string(channel)}, false, at_most);
}

SubscriptionChange Subscriber::subscribe_call(std::string_view channel, Millis at_most) {
  return {state_, Message::Kind::message, channel, true, at_most};
}
SubscriptionChange Subscriber::psubscribe_call(std::string_view pattern, Millis at_most) {
  return {state_, Message::Kind::pattern, pattern, true, at_most};
}
SubscriptionChange Subscriber::ssubscribe_call(std::string_view channel, Millis at_most) {
  return {state_, Message::Kind::shard, channel, true, at_most};
}
SubscriptionChange Subscriber::unsubscribe_call(std::string_view channel, Millis at_most) {
  return {state_, Message::Kind::message, channel, false, at_most};
}
SubscriptionChange Subscriber::punsubscribe_call(std::string_view pattern, Millis at_most) {
  return {state_, Message::Kind::pattern, pattern, false, at_most};
}
SubscriptionChange Subscriber::sunsubscribe_call(std::string_view channel, Millis at_most) {
  return {state_, Message::Kind::shard, channel, false, at_most};
}

std::optional<Message> Subscriber::next(Millis at_most) {
  return state_->next(at_most);
}
NextMessage Subscriber::next_call(Millis at_most, std::stop_token stop) {
  return NextMessage(state_, at_most, std::move(stop));
}
void Subscriber::report_gaps() {
  state_->report_gaps();
}
void Subscriber::on_message(std::function<void(const Message&)> callback) {
  state_->set_callback(std::move(callback));
}
std::uint64_t Subscriber::gaps() const {
  return state_->gaps();
}
std::uint64_t Subscriber::dropped() const {
  return state_->dropped();
}

}  // namespace slotcar::client
