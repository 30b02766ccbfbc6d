// SubscriberState: a Subscriber's connection, and the messages that wait for its owner.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

#include "connection.h"
#include "core.h"
#include "subscription_machine.h"

namespace slotcar::client::detail {

class SubscriberState final : public std::enable_shared_from_this<SubscriberState>,
                              private SubscriptionEvents {
 public:
  explicit SubscriberState(std::shared_ptr<Core> core);
  ~SubscriberState() override;

  Status change(const Subscription& subscription, bool add, Millis at_most);
  std::optional<Message> next(Millis at_most);
  void set_callback(std::function<void(const Message&)> callback);
  std::uint64_t gaps() const;
  std::uint64_t dropped() const;
  void shut_down();

 private:
  // Both live on the I/O thread.
  struct Line {
    Line(SubscriberState& state, Node& node);
    SubscriptionMachine machine;
    Connection connection;
  };

  void on_message(Message&& message) override;
  void on_confirmed(const Subscription& subscription, bool added, Status status) override;
  void on_gap() override;
  void tell_line(const Subscription& subscription, bool add);
  void end_line();

  std::shared_ptr<Core> core_;
  std::unique_ptr<Line> line_;
  mutable std::mutex mutex_;  // of all below
  std::condition_variable news_;
  bool closed_ = false;
  std::set<Subscription> confirmed_;
  std::map<Subscription, Error> refused_;
  std::deque<Message> messages_;
  std::shared_ptr<const std::function<void(const Message&)>> callback_;
  std::uint64_t gaps_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace slotcar::client::detail
