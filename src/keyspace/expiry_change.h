// What a write does to the time to live of its key.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace slotcar::keyspace {

struct ExpiryChange {
  enum class Kind : std::uint8_t { clear, keep, at } kind = Kind::clear;
  UnixMs when = kNever;
  static constexpr ExpiryChange clear() { return {Kind::clear, kNever}; }
  static constexpr ExpiryChange keep() { return {Kind::keep, kNever}; }
  static constexpr ExpiryChange at(UnixMs when) { return {Kind::at, when}; }
};

}  // namespace slotcar::keyspace
