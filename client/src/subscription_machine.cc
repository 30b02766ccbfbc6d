#include "subscription_machine.h"

#include "base/ascii.h"

namespace slotcar::client {
namespace {

const char* command_of(Message::Kind kind, bool add) {
  switch (kind) {
    case Message::Kind::message:
      return add ? "SUBSCRIBE" : "UNSUBSCRIBE";
    case Message::Kind::pattern:
      return add ? "PSUBSCRIBE" : "PUNSUBSCRIBE";
    case Message::Kind::shard:
      return add ? "SSUBSCRIBE" : "SUNSUBSCRIBE";
    case Message::Kind::gap:
      break;  // no subscription is of this kind
  }
  return "";
}

// A server replies with the command's name in lower case.
bool confirms(std::string_view what, const Subscription& subscription, bool add) {
  return base::equals_ignoring_case(what, command_of(subscription.kind, add));
}

constexpr Nanos kAskAgainPause = 100 * runtime::kMillisecond;

bool is_for_now(std::string_view text) {
  for (const char* code : {"CLUSTERDOWN", "MASTERDOWN", "LOADING", "TRYAGAIN"}) {
    if (text.starts_with(code)) return true;
  }
  return false;
}

}  // namespace

SubscriptionMachine::SubscriptionMachine(HandshakeRules handshake, SubscriptionEvents& events)
    : handshake_(std::move(handshake)), events_(events) {}

void SubscriptionMachine::add(const Subscription& subscription) {
  wanted_.insert(subscription);
  if (ready_) ask(subscription, true);
}

void SubscriptionMachine::remove(const Subscription& subscription) {
  wanted_.erase(subscription);
  if (ready_) return ask(subscription, false);
  // The next connection simply will not ask for it.
  events_.on_confirmed(subscription, false, {});
}

void SubscriptionMachine::ask(const Subscription& subscription, bool add) {
  append_request(output, Request(command_of(subscription.kind, add)).arg(subscription.name));
  questions_.push_back({subscription, add});
}

void SubscriptionMachine::connected(Nanos) {
  parser_ = ReplyParser();
  output.clear();
  failure_.reset();
  questions_.clear();
  again_.clear();
  next_due_ = INT64_MAX;
  up_ = true;
  ready_ = false;
  handshake_.begin(output);
}

void SubscriptionMachine::tick(Nanos now) {
  if (now < next_due_) return;
  next_due_ = INT64_MAX;
  for (const Subscription& subscription : std::exchange(again_, {})) {
    if (ready_ && wanted_.contains(subscription)) ask(subscription, true);
  }
}

void SubscriptionMachine::received(std::string_view bytes, Nanos now) {
  if (!up_ || failure_) return;
  now_ = now;
  parser_.feed(bytes);
  Reply value;
  while (!failure_) {
    const auto outcome = parser_.next(value);
    if (outcome == ReplyParser::Outcome::incomplete) return;
    if (outcome == ReplyParser::Outcome::error) {
      failure_ = Error{Error::Kind::protocol, Error::Ran::unknown, parser_.error()};
      return;
    }
    take(value);
  }
}

void SubscriptionMachine::take(const Reply& value) {
  if (!ready_) {
    if (auto error = handshake_.answer(value)) {
      failure_ = std::move(*error);
      return;
    }
    if (!handshake_.done()) return;
    ready_ = true;
    for (const Subscription& subscription : wanted_) ask(subscription, true);
    return;
  }
  if (value.is_error()) return take_error(value.text());
  if (!value.is_aggregate() || value.size() < 3) return;
  if (!take_message(value)) take_confirmation(value);
}

bool SubscriptionMachine::take_message(const Reply& value) {
  const std::string& what = value[0].text();
  const auto text = [&](std::size_t i) { return value[i].text(); };
  if (what == "pmessage" && value.size() == 4) {
    events_.on_message({Message::Kind::pattern, text(2), text(1), text(3)});
  } else if (what == "message") {
    events_.on_message({Message::Kind::message, text(1), {}, text(2)});
  } else if (what == "smessage") {
    events_.on_message({Message::Kind::shard, text(1), {}, text(2)});
  } else {
    return false;
  }
  return true;
}

void SubscriptionMachine::take_error(const std::string& text) {
  if (questions_.empty()) return;
  const Question question = questions_.front();
  if (question.add && is_for_now(text)) {
    questions_.pop_front();
    again_.insert(question.subscription);
    next_due_ = now_ + kAskAgainPause;
    return;
  }
  // The server would refuse it again, so it is no longer wanted.
  wanted_.erase(question.subscription);
  if (question.add && text.starts_with("MOVED ")) {
    questions_.pop_front();
    return events_.on_moved(question.subscription, text);
  }
  answer_next(Error{Error::Kind::server, Error::Ran::no, text});
}

void SubscriptionMachine::take_confirmation(const Reply& value) {
  const std::string& what = value[0].text();
  const std::string& name = value[1].text();
  if (!what.ends_with("subscribe")) return;
  if (!questions_.empty()) {
    const Question& question = questions_.front();
    if (question.subscription.name == name && confirms(what, question.subscription, question.add)) {
      return answer_next({});
    }
  }
  const Subscription shard{Message::Kind::shard, name};
  if (what == "sunsubscribe") {
    if (!wanted_.contains(shard)) return;
    events_.on_gap();
    return ask(shard, true);
  }
  failure_ = Error{Error::Kind::connection, Error::Ran::unknown,
                   "the server ended the subscription of " + name};
}

void SubscriptionMachine::answer_next(Status status) {
  if (questions_.empty()) return;
  const Question question = std::move(questions_.front());
  questions_.pop_front();
  events_.on_confirmed(question.subscription, question.add, std::move(status));
}

void SubscriptionMachine::disconnected(const Error&, Nanos) {
  const bool was_ready = ready_;
  up_ = false;
  ready_ = false;
  failure_.reset();
  output.clear();
  // The loss of the connection completes a pending UNSUBSCRIBE.
  for (const Question& question : std::exchange(questions_, {})) {
    if (!question.add) events_.on_confirmed(question.subscription, false, {});
  }
  if (was_ready && !wanted_.empty()) events_.on_gap();
}

}  // namespace slotcar::client
