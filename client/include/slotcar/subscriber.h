// Subscriber: a connection of its own for SUBSCRIBE, PSUBSCRIBE and SSUBSCRIBE. After a broken
// connection it reconnects and subscribes to the same names again. Messages published in between
// are lost, as always with pub/sub, and `gaps` counts how often that may have happened.
//
// Messages are taken with `next`, or given to a callback on the I/O thread. If they are not taken,
// the oldest are dropped and counted.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "slotcar/error.h"
#include "slotcar/options.h"

namespace slotcar::client {

struct Message {
  enum class Kind { message, pattern, shard } kind = Kind::message;
  std::string channel = {};
  std::string pattern = {};  // of a pattern subscription
  std::string payload = {};
};

namespace detail {
class SubscriberState;
}

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

  // Empty after `at_most`, and when the client is closed.
  std::optional<Message> next(Millis at_most);
  // Instead of `next`: called on the I/O thread, where it must not wait.
  void on_message(std::function<void(const Message&)> callback);

  std::uint64_t gaps() const;     // reconnects after the first subscription
  std::uint64_t dropped() const;  // messages that were not taken in time

 private:
  std::shared_ptr<detail::SubscriberState> state_;
};

}  // namespace slotcar::client
