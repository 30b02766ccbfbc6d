// Key specs: where a command's keys are among its arguments, as data. Routing, ACL, COMMAND
// GETKEYS and MULTI read this one source; no code compares command names to find keys.
//
// A closed algebra: a beginning (an index, or after a keyword) and a way to go on (a range, a
// counted number), or, as the last resort, a function in the command's own file.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace slotcar::schema {

using ArgSpan = std::span<const std::string_view>;  // [0] is the command's name

// What is done with the key, as Redis's key-spec flags say it.
enum class KeyUse : std::uint16_t {
  none = 0,
  ro = 1 << 0,      // reads the value
  rw = 1 << 1,      // changes the value
  ow = 1 << 2,      // overwrites it without reading
  rm = 1 << 3,      // removes it
  access = 1 << 4,  // the user gets (part of) the value
  update = 1 << 5,
  insert = 1 << 6,
  remove = 1 << 7,
  not_key = 1 << 8,  // has a key's position but is not one (a channel)
  incomplete = 1 << 9,
  variable_flags = 1 << 10,
};
constexpr KeyUse operator|(KeyUse a, KeyUse b) {
  return static_cast<KeyUse>(static_cast<std::uint16_t>(a) | static_cast<std::uint16_t>(b));
}
constexpr bool has(KeyUse set, KeyUse flag) {
  return (static_cast<std::uint16_t>(set) & static_cast<std::uint16_t>(flag)) != 0;
}

// Calls `emit(index)` for each key argument; false: the arguments make no sense.
using KeyEmit = void (*)(void* sink, std::size_t index, KeyUse use);
using KeyFinder = bool (*)(ArgSpan args, void* sink, KeyEmit emit);

struct KeySpec {
  enum class Begin : std::uint8_t { none, index, keyword };
  enum class Find : std::uint8_t { range, counted, function };

  Begin begin = Begin::none;
  Find find = Find::range;
  KeyUse use = KeyUse::none;
  std::int16_t index = 0;  // Begin::index; for keyword: where the search starts (may be < 0)
  std::string_view keyword = {};
  // range: relative to the beginning; last < 0 counts from the end; limit n: only 1/n of the rest
  // counted: at `count_at` (relative) stands how many, the first key is at `first` (relative)
  std::int16_t last = 0;
  std::int16_t step = 1;
  std::int16_t limit = 0;
  std::int16_t count_at = 0;
  std::int16_t first = 0;
  KeyFinder finder = nullptr;
};

struct KeySpecs {
  std::array<KeySpec, 4> specs{};
  std::uint8_t count = 0;

  constexpr KeySpecs() = default;
  constexpr KeySpecs(KeySpec a) : specs{a}, count(1) {}
  constexpr KeySpecs(KeySpec a, KeySpec b) : specs{a, b}, count(2) {}
  constexpr KeySpecs(KeySpec a, KeySpec b, KeySpec c) : specs{a, b, c}, count(3) {}
  constexpr std::span<const KeySpec> list() const { return {specs.data(), count}; }
};

// One key at a fixed place.
constexpr KeySpec key_at(int index, KeyUse use) {
  KeySpec spec;
  spec.begin = KeySpec::Begin::index;
  spec.index = static_cast<std::int16_t>(index);
  spec.use = use;
  return spec;
}

// Keys from `first` to `last` (as in COMMAND INFO: last -1 is the last argument), every `step`th.
constexpr KeySpec keys(int first, int last, int step, KeyUse use) {
  KeySpec spec = key_at(first, use);
  spec.last = static_cast<std::int16_t>(last < 0 ? last : last - first);
  spec.step = static_cast<std::int16_t>(step);
  return spec;
}

// At `count_index` is the number of keys that follow it.
constexpr KeySpec keys_counted_at(int count_index, KeyUse use) {
  KeySpec spec = key_at(count_index, use);
  spec.find = KeySpec::Find::counted;
  spec.count_at = 0;
  spec.first = 1;
  return spec;
}

// Keys after a keyword: all the rest, or the first half of it (XREAD STREAMS k1 k2 id1 id2).
constexpr KeySpec keys_after(std::string_view keyword, int search_from, int last, int limit,
                             KeyUse use) {
  KeySpec spec;
  spec.begin = KeySpec::Begin::keyword;
  spec.keyword = keyword;
  spec.index = static_cast<std::int16_t>(search_from);
  spec.last = static_cast<std::int16_t>(last);
  spec.limit = static_cast<std::int16_t>(limit);
  spec.use = use;
  return spec;
}

// The last resort.
constexpr KeySpec keys_by(KeyFinder finder, KeyUse use) {
  KeySpec spec;
  spec.find = KeySpec::Find::function;
  spec.finder = finder;
  spec.use = use;
  return spec;
}

// Calls `emit` for every key of the request; false if the arguments do not fit the specs.
bool find_keys(const KeySpecs& specs, ArgSpan args, void* sink, KeyEmit emit);

}  // namespace slotcar::schema
