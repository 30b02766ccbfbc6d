// SubscriberState: a Subscriber's connections, and its queued messages. One connection serves all
// channels and patterns. In a cluster each node with shard channels has one more, and the channels
// follow their slots.
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

class SubscriberState final : public std::enable_shared_from_this<SubscriberState> {
 public:
  explicit SubscriberState(std::shared_ptr<Core> core);
  ~SubscriberState();

  Status change(const Subscription& subscription, bool add, Millis at_most);
  std::optional<Message> next(Millis at_most);
  void set_callback(std::function<void(const Message&)> callback);
  std::uint64_t gaps() const;
  std::uint64_t dropped() const;
  void shut_down();
  // On the I/O thread: the cluster's map has changed.
  void follow_map();

 private:
  // On the I/O thread, with all that it holds.
  struct Line final : SubscriptionEvents {
    Line(SubscriberState& state, Node& node);
    void on_message(Message&& message) override { state.on_message(std::move(message)); }
    void on_confirmed(const Subscription& subscription, bool added, Status status) override {
      state.on_confirmed(subscription, added, std::move(status));
    }
    void on_gap() override { state.on_gap(); }
    void on_moved(const Subscription& subscription, const std::string& redirect) override {
      state.on_moved(*this, subscription, redirect);
    }
    SubscriberState& state;
    Node& node;
    SubscriptionMachine machine;
    Connection connection;
  };

  void on_message(Message&& message);
  Message take_oldest();
  void on_confirmed(const Subscription& subscription, bool added, Status status);
  void on_gap();
  void on_moved(Line& from, const Subscription& subscription, const std::string& redirect);
  void tell_line(const Subscription& subscription, bool add);
  Line& line_for(const Subscription& subscription);
  Line& line_to(Node& node);
  void ask_at(Line& line, const Subscription& subscription);
  void end_lines();

  std::shared_ptr<Core> core_;
  std::vector<std::unique_ptr<Line>> lines_;
  mutable std::mutex mutex_;  // protects all below
  std::condition_variable news_;
  bool closed_ = false;
  std::set<Subscription> confirmed_;
  std::map<Subscription, Error> refused_;
  std::deque<Message> messages_;
  std::size_t message_bytes_ = 0;
  std::shared_ptr<const std::function<void(const Message&)>> callback_;
  std::uint64_t gaps_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace slotcar::client::detail
