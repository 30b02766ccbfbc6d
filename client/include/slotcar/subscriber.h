// Subscriber: a connection of its own for SUBSCRIBE, PSUBSCRIBE and SSUBSCRIBE. After a broken
// connection it reconnects and subscribes to the same names again. Messages published in between
// are lost, as always with pub/sub, and `gaps` counts how often that may have happened.
//
// Messages are taken with `next`, awaited with `next_call`, or given to a callback on the I/O
// thread. If they are not taken, the oldest are dropped and counted.
//
// After `report_gaps` what may have been missed stands between the messages, as a message of the
// kind `gap`: for each subscription that was interrupted, since when and until when; or how many
// messages were dropped because they were not taken. Use it to read the state again from where it
// is kept. A gap ends when the server has confirmed the new subscription.
#pragma once

#include <chrono>
#include <coroutine>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "slotcar/error.h"
#include "slotcar/options.h"
#include "slotcar/pending.h"

namespace slotcar::client {

struct Message {
  enum class Kind { message, pattern, shard, gap } kind = Kind::message;
  std::string channel = {};
  std::string pattern = {};  // of a pattern subscription
  std::string payload = {};

  // Of a gap. `channel` or `pattern` names the subscription; both are empty if messages were
  // dropped.
  struct Gap {
    std::chrono::system_clock::time_point since = {};
    std::chrono::system_clock::time_point until = {};
    std::uint64_t dropped = 0;  // 0: the connection was lost, and the number is not known
  };
  Gap gap = {};
};

namespace detail {

class SubscriberState;

// What a coroutine waits for: the next message, or the confirmation of a subscription.
struct SubscriberWait {
  bool await_ready();
  bool await_suspend(std::coroutine_handle<> handle);
  ~SubscriberWait();

  std::shared_ptr<SubscriberState> state;
  Millis at_most{0};
  std::stop_token stop = {};
  bool for_message = true;
  Message::Kind kind = Message::Kind::message;  // of the subscription, with its name
  std::string name = {};
  bool add = true;

  // Filled by the state before the coroutine continues.
  std::optional<Message> message = {};
  Status status = {};
  std::uint64_t id = 0;
  std::chrono::steady_clock::time_point until = {};
  Resumption resumption = {};
  std::optional<std::stop_callback<std::function<void()>>> on_stop = {};
};

}  // namespace detail

class [[nodiscard("co_await it")]] NextMessage : private detail::SubscriberWait {
 public:
  NextMessage(std::shared_ptr<detail::SubscriberState> s, Millis limit, std::stop_token token)
      : SubscriberWait{.state = std::move(s), .at_most = limit, .stop = std::move(token)} {}
  using SubscriberWait::await_ready;
  using SubscriberWait::await_suspend;
  std::optional<Message> await_resume() {
    return std::move(message);
  }
};

class [[nodiscard("co_await it")]] SubscriptionChange : private detail::SubscriberWait {
 public:
  SubscriptionChange(std::shared_ptr<detail::SubscriberState> s, Message::Kind k,
                     std::string_view subscription, bool adds, Millis limit)
      : SubscriberWait{.state = std::move(s),
                       .at_most = limit,
                       .for_message = false,
                       .kind = k,
                       .name = std::string(subscription),
                       .add = adds} {}
  using SubscriberWait::await_ready;
  using SubscriberWait::await_suspend;
  Status await_resume() {
    return std::move(status);
  }
};

class Subscriber {
 public:
  explicit Subscriber(std::shared_ptr<detail::SubscriberState> state);
  ~Subscriber();
  Subscriber(Subscriber&&) noexcept;
  Subscriber& operator=(Subscriber&&) noexcept;

  // Return when the server has confirmed.
  Status subscribe(std::string_view channel, Millis at_most = Millis{5'000});
  Status psubscribe(std::string_view pattern, Millis at_most = Millis{5'000});
  Status ssubscribe(std::string_view channel, Millis at_most = Millis{5'000});
  Status unsubscribe(std::string_view channel, Millis at_most = Millis{5'000});
  Status punsubscribe(std::string_view pattern, Millis at_most = Millis{5'000});
  Status sunsubscribe(std::string_view channel, Millis at_most = Millis{5'000});

  // The same, awaited.
  SubscriptionChange subscribe_call(std::string_view channel, Millis at_most = Millis{5'000});
  SubscriptionChange psubscribe_call(std::string_view pattern, Millis at_most = Millis{5'000});
  SubscriptionChange ssubscribe_call(std::string_view channel, Millis at_most = Millis{5'000});
  SubscriptionChange unsubscribe_call(std::string_view channel, Millis at_most = Millis{5'000});
  SubscriptionChange punsubscribe_call(std::string_view pattern, Millis at_most = Millis{5'000});
  SubscriptionChange sunsubscribe_call(std::string_view channel, Millis at_most = Millis{5'000});

  // Empty after `at_most`, and when the client is closed.
  std::optional<Message> next(Millis at_most);
  // Awaited; empty too when it was asked to stop.
  NextMessage next_call(Millis at_most, std::stop_token stop = {});
  // Instead of `next`: called on the I/O thread, where it must not wait.
  void on_message(std::function<void(const Message&)> callback);

  // From now on gaps are messages, too.
  void report_gaps();
  std::uint64_t gaps() const;     // reconnects after the first subscription
  std::uint64_t dropped() const;  // messages that were not taken in time

 private:
  std::shared_ptr<detail::SubscriberState> state_;
};

}  // namespace slotcar::client
