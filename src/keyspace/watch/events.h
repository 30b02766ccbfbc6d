// Keyspace events: their classes, as `notify-keyspace-events` names them, one letter each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace slotcar::keyspace {

enum class EventClass : std::uint16_t {
  generic = 1u << 0,     // g: DEL, EXPIRE, RENAME...
  string = 1u << 1,      // $
  list = 1u << 2,        // l
  set = 1u << 3,         // s
  hash = 1u << 4,        // h
  sorted_set = 1u << 5,  // z
  expired = 1u << 6,     // x: a key expired
  evicted = 1u << 7,     // e: a key was evicted
  stream = 1u << 8,      // t
  module = 1u << 9,      // d: of modules, which do not exist here
  miss = 1u << 10,       // m: a read found no key; not part of A
  fresh = 1u << 11,      // n: a key was created; not part of A
};

// A set of classes, and where they are published: K to the key's channel, E to the event's. With
// neither nothing is published.
class EventMask {
 public:
  constexpr EventMask() = default;
  constexpr explicit EventMask(std::uint16_t bits) : bits_(bits) {}

  // Errors have Redis's text.
  static Result<EventMask> parse(std::string_view letters);
  // As CONFIG GET prints it: A for all classes, else each, then where they are published.
  std::string text() const;

  constexpr bool has(EventClass kind) const {
    return (bits_ & static_cast<std::uint16_t>(kind)) != 0;
  }
  constexpr bool by_key() const { return (bits_ & kByKey) != 0; }
  constexpr bool by_event() const { return (bits_ & kByEvent) != 0; }
  constexpr std::uint16_t bits() const { return bits_; }
  // The same, or nothing if no channel is enabled, so that one test suffices for "off".
  constexpr EventMask effective() const { return by_key() || by_event() ? *this : EventMask{}; }

 private:
  static constexpr std::uint16_t kByKey = 1u << 14;
  static constexpr std::uint16_t kByEvent = 1u << 15;
  std::uint16_t bits_ = 0;
};

}  // namespace slotcar::keyspace
