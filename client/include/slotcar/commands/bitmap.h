// Typed calls of the group bitmap. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
enum class BitcountIndexUnit { byte, bit };
constexpr std::string_view text_of(BitcountIndexUnit word) {
  constexpr std::string_view kTexts[] = {"BYTE", "BIT"};
  return kTexts[static_cast<int>(word)];
}
struct BitcountIndex {
  std::int64_t start = {};
  std::int64_t end = {};
  std::optional<BitcountIndexUnit> index_unit = {};
};
struct BitcountOptions {
  std::optional<BitcountIndex> index = {};
};
struct BitfieldOptions {
  std::vector<std::string> operations = {};
};
struct BitfieldRoOptions {
  std::vector<std::pair<std::string, std::string>> get = {};
};
enum class BitopOperation { and_, or_, xor_, not_ };
constexpr std::string_view text_of(BitopOperation word) {
  constexpr std::string_view kTexts[] = {"AND", "OR", "XOR", "NOT"};
  return kTexts[static_cast<int>(word)];
}
enum class BitposIndexUnit { byte, bit };
constexpr std::string_view text_of(BitposIndexUnit word) {
  constexpr std::string_view kTexts[] = {"BYTE", "BIT"};
  return kTexts[static_cast<int>(word)];
}
struct BitposEndIndex {
  std::int64_t end = {};
  std::optional<BitposIndexUnit> index_unit = {};
};
struct BitposIndex {
  std::int64_t start = {};
  std::optional<BitposEndIndex> end_index = {};
};
struct BitposOptions {
  std::optional<BitposIndex> index = {};
};
template <class R = std::int64_t>
Typed<R> bitcount(std::string_view key, const BitcountOptions& options = {}) {
  Request request("BITCOUNT");
  request.key(key);
  if (options.index) {
    const auto& index = *options.index;
    request.arg(index.start);
    request.arg(index.end);
    if (index.index_unit) request.arg(text_of(*index.index_unit));
  }
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::optional<std::int64_t>>>
Typed<R> bitfield(std::string_view key, const BitfieldOptions& options = {}) {
  Request request("BITFIELD");
  request.key(key);
  for (const auto& one : options.operations) request.arg(one);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::optional<std::int64_t>>>
Typed<R> bitfield_ro(std::string_view key, const BitfieldRoOptions& options = {}) {
  Request request("BITFIELD_RO");
  request.key(key);
  for (const auto& [first, second] : options.get) request.arg("GET").arg(first).arg(second);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> bitop(BitopOperation operation, std::string_view destkey, const Arguments& keys) {
  Request request("BITOP");
  request.arg(text_of(operation));
  request.key(destkey);
  keys.add_to(request, As::keys);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> bitpos(std::string_view key, std::int64_t bit, const BitposOptions& options = {}) {
  Request request("BITPOS");
  request.key(key);
  request.arg(bit);
  if (options.index) {
    const auto& index = *options.index;
    request.arg(index.start);
    if (index.end_index) {
      const auto& end_index = *index.end_index;
      request.arg(end_index.end);
      if (end_index.index_unit) request.arg(text_of(*end_index.index_unit));
    }
  }
  return Typed<R>(std::move(request));
}
template <class R = bool>
Typed<R> getbit(std::string_view key, std::int64_t offset) {
  Request request("GETBIT");
  request.key(key);
  request.arg(offset);
  return Typed<R>(std::move(request));
}
template <class R = bool>
Typed<R> setbit(std::string_view key, std::int64_t offset, std::int64_t value) {
  Request request("SETBIT");
  request.key(key);
  request.arg(offset);
  request.arg(value);
  return Typed<R>(std::move(request));
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
