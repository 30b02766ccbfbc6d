// Typed calls of the group bitmap. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
enum class BitcountIndexUnit { byte, bit };
struct BitcountIndex {
  std::int64_t start = {};
  std::int64_t end = {};
  Given<BitcountIndexUnit> index_unit = {};
};
struct BitcountOptions {
  Given<BitcountIndex> index = {};
};
struct BitfieldOptions {
  std::vector<std::string> operations = {};
};
struct BitfieldRoOptions {
  std::vector<std::pair<std::string, std::string>> get = {};
};
enum class BitopOperation { and_, or_, xor_, not_ };
enum class BitposIndexUnit { byte, bit };
struct BitposEndIndex {
  std::int64_t end = {};
  Given<BitposIndexUnit> index_unit = {};
};
struct BitposIndex {
  std::int64_t start = {};
  Given<BitposEndIndex> end_index = {};
};
struct BitposOptions {
  Given<BitposIndex> index = {};
};
namespace requests {
Request bitcount(std::string_view key, const BitcountOptions& options);
Request bitfield(std::string_view key, const BitfieldOptions& options);
Request bitfield_ro(std::string_view key, const BitfieldRoOptions& options);
Request bitop(BitopOperation operation, std::string_view destkey, const Arguments& keys);
Request bitpos(std::string_view key, std::int64_t bit, const BitposOptions& options);
Request getbit(std::string_view key, std::int64_t offset);
Request setbit(std::string_view key, std::int64_t offset, std::int64_t value);
}  // namespace requests

template <class R = std::int64_t>
Typed<R> bitcount(std::string_view key, const BitcountOptions& options = {}) {
  return Typed<R>{requests::bitcount(key, options)};
}
template <class R = std::vector<std::optional<std::int64_t>>>
Typed<R> bitfield(std::string_view key, const BitfieldOptions& options = {}) {
  return Typed<R>{requests::bitfield(key, options)};
}
template <class R = std::vector<std::optional<std::int64_t>>>
Typed<R> bitfield_ro(std::string_view key, const BitfieldRoOptions& options = {}) {
  return Typed<R>{requests::bitfield_ro(key, options)};
}
template <class R = std::int64_t>
Typed<R> bitop(BitopOperation operation, std::string_view destkey, const Arguments& keys) {
  return Typed<R>{requests::bitop(operation, destkey, keys)};
}
template <class R = std::int64_t>
Typed<R> bitpos(std::string_view key, std::int64_t bit, const BitposOptions& options = {}) {
  return Typed<R>{requests::bitpos(key, bit, options)};
}
template <class R = bool>
Typed<R> getbit(std::string_view key, std::int64_t offset) {
  return Typed<R>{requests::getbit(key, offset)};
}
template <class R = bool>
Typed<R> setbit(std::string_view key, std::int64_t offset, std::int64_t value) {
  return Typed<R>{requests::setbit(key, offset, value)};
}
template <class Self>
class BitmapCommands {
 public:
  template <class R = std::int64_t>
  auto bitcount(std::string_view key, const BitcountOptions& options = {}) {
    return self().send(commands::bitcount<R>(key, options));
  }
  template <class R = std::vector<std::optional<std::int64_t>>>
  auto bitfield(std::string_view key, const BitfieldOptions& options = {}) {
    return self().send(commands::bitfield<R>(key, options));
  }
  template <class R = std::vector<std::optional<std::int64_t>>>
  auto bitfield_ro(std::string_view key, const BitfieldRoOptions& options = {}) {
    return self().send(commands::bitfield_ro<R>(key, options));
  }
  template <class R = std::int64_t>
  auto bitop(BitopOperation operation, std::string_view destkey, const Arguments& keys) {
    return self().send(commands::bitop<R>(operation, destkey, keys));
  }
  template <class R = std::int64_t>
  auto bitpos(std::string_view key, std::int64_t bit, const BitposOptions& options = {}) {
    return self().send(commands::bitpos<R>(key, bit, options));
  }
  template <class R = bool>
  auto getbit(std::string_view key, std::int64_t offset) {
    return self().send(commands::getbit<R>(key, offset));
  }
  template <class R = bool>
  auto setbit(std::string_view key, std::int64_t offset, std::int64_t value) {
    return self().send(commands::setbit<R>(key, offset, value));
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};
}  // namespace slotcar::client::commands
