// SubscriberState: a Subscriber's connections, and its queued messages. One connection serves all
// channels and patterns. In a cluster each node with shard channels has one more, and the channels
// follow their slots.
#pragma once

#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <deque>
#include <functional>
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
  // Of coroutines. True: the wait has ended, and its result is in it.
  bool end_at_once(SubscriberWait& wait);
  bool suspend(SubscriberWait& wait, std::coroutine_handle<> handle);
  void report_gaps();
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
    void on_gap() override { state.on_gap(machine.wanted()); }
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
  bool has_message() const { return !messages_.empty() || unreported_drops_ > 0; }
  Message take_next();
  // Calls of user code: without the mutex.
  void deliver(Message&& message);
  // Ends the waits of coroutines that can end now, and, without a result, those to give up.
  void settle(const std::function<bool(const SubscriberWait&)>& give_up = {});
  bool fill(SubscriberWait& wait);
  void expire(std::uint64_t turn);
  void cancel(std::uint64_t id);
  void on_confirmed(const Subscription& subscription, bool added, Status status);
  void on_gap(const std::set<Subscription>& interrupted);
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
  std::vector<SubscriberWait*> waits_;  // in the order in which they came
  std::uint64_t next_wait_ = 1;
  std::uint64_t timer_turn_ = 0;
  std::chrono::steady_clock::time_point timer_due_ = std::chrono::steady_clock::time_point::max();
  bool report_gaps_ = false;
  std::map<Subscription, std::chrono::system_clock::time_point> interrupted_;
  std::uint64_t unreported_drops_ = 0;
  std::uint64_t gaps_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace slotcar::client::detail
