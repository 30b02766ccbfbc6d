// SubscriptionMachine: the machine of a subscriber's connection. Remembers what was asked for, and
// asks for it again on every new connection. Each name is asked for by a command of its own, so
// that exactly one confirmation, or one error, answers each.
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "handshake.h"
#include "machine.h"
#include "resp/reply_parser.h"
#include "slotcar/subscriber.h"

namespace slotcar::client {

// A channel, a pattern or a shard channel.
struct Subscription {
  Message::Kind kind = Message::Kind::message;
  std::string name = {};
  auto operator<=>(const Subscription&) const = default;
};

class SubscriptionEvents {
 public:
  virtual ~SubscriptionEvents() = default;
  virtual void on_message(Message&& message) = 0;
  // The server has confirmed (or refused) what was asked for.
  virtual void on_confirmed(const Subscription& subscription, bool added, Status status) = 0;
  // A connection with subscriptions was lost: messages may be missing.
  virtual void on_gap() = 0;
};

class SubscriptionMachine final : public Machine {
 public:
  SubscriptionMachine(HandshakeRules handshake, SubscriptionEvents& events);

  void add(const Subscription& subscription);
  void remove(const Subscription& subscription);

  void connected(Nanos now) override;
  void received(std::string_view bytes, Nanos now) override;
  void sent(std::size_t) override {}
  void disconnected(const Error& why, Nanos now) override;
  // A peer that is gone without a word is noticed by TCP keepalive.
  void tick(Nanos) override {}
  Nanos next_due() const override { return INT64_MAX; }
  bool ready() const override { return ready_; }
  const std::optional<Error>& failure() const override { return failure_; }

 private:
  struct Question {
    Subscription subscription;
    bool add;
  };
  void ask(const Subscription& subscription, bool add);
  void take(const resp::Value& value);
  bool take_message(const resp::Value& value);
  void take_confirmation(const resp::Value& value);
  void answer_next(Status status);

  Handshake handshake_;
  SubscriptionEvents& events_;
  std::set<Subscription> wanted_;
  std::deque<Question> questions_;  // asked on this connection and not yet answered
  resp::ReplyParser parser_;
  std::optional<Error> failure_;
  bool up_ = false;
  bool ready_ = false;
};

}  // namespace slotcar::client
