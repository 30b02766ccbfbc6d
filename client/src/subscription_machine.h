// SubscriptionMachine: the machine of a subscriber's connection. Remembers the subscriptions, and
// requests them again on every new connection. Each name has a command of its own, so that each
// gets exactly one confirmation or one error.
//
// A refusal ends a subscription, with two exceptions: what the server cannot do now
// (CLUSTERDOWN...) is retried after a pause, and a shard channel whose slot is elsewhere (MOVED)
// leaves this machine for the one of that node. A slot that migrates removes its channels
// (sunsubscribe): they are requested again, and the answer says where they are now.
#pragma once

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "handshake.h"
#include "machine.h"
#include "reply_builder.h"
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
  // The server has confirmed (or refused) a request.
  virtual void on_confirmed(const Subscription& subscription, bool added, Status status) = 0;
  // A connection with subscriptions was lost: messages may be missing.
  virtual void on_gap() = 0;
  // The shard channel is on another node; this machine no longer wants it. "MOVED 12 host:port"
  virtual void on_moved(const Subscription& subscription, const std::string& redirect) = 0;
};

class SubscriptionMachine final : public Machine {
 public:
  SubscriptionMachine(HandshakeRules handshake, SubscriptionEvents& events);

  void add(const Subscription& subscription);
  void remove(const Subscription& subscription);
  // Another machine requests it from now on.
  void forget(const Subscription& subscription) { wanted_.erase(subscription); }
  const std::set<Subscription>& wanted() const { return wanted_; }

  void connected(Nanos now) override;
  void received(std::string_view bytes, Nanos now) override;
  void sent(std::size_t) override {}
  void disconnected(const Error& why, Nanos now) override;
  // TCP keepalive detects a peer that is gone without closing.
  void tick(Nanos now) override;
  Nanos next_due() const override { return next_due_; }
  bool ready() const override { return ready_; }
  const std::optional<Error>& failure() const override { return failure_; }

 private:
  struct Question {
    Subscription subscription;
    bool add;
  };
  void ask(const Subscription& subscription, bool add);
  void take(const Reply& value);
  bool take_message(const Reply& value);
  void take_confirmation(const Reply& value);
  void take_error(const std::string& text);
  void answer_next(Status status);

  Handshake handshake_;
  SubscriptionEvents& events_;
  std::set<Subscription> wanted_;
  std::deque<Question> questions_;  // sent on this connection and not yet answered
  std::set<Subscription> again_;    // to be requested again at next_due_
  Nanos next_due_ = INT64_MAX;
  Nanos now_ = 0;
  ReplyParser parser_;
  std::optional<Error> failure_;
  bool up_ = false;
  bool ready_ = false;
};

}  // namespace slotcar::client
