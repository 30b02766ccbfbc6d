// A value, typed or as it came, as a list of plain texts: so that a typed reply can be compared
// with the raw one without the code that made it.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "slotcar/commands/typed.h"
#include "slotcar/reply.h"

namespace slotcar::client {

using Leaves = std::vector<std::string>;

inline std::string shortest(double number) {
  char digits[64];
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}
// Numbers are written differently by the two protocols ("3", "3.0").
inline std::string normal(const std::string& text) {
  double number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool all = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return all ? shortest(number) : text;
}

inline void add(Leaves& out, const Reply& reply) {
  switch (reply.kind()) {
    case Reply::Kind::null:
      return out.push_back("(nil)");
    case Reply::Kind::integer:
      return out.push_back(normal(std::to_string(*reply.as_integer())));
    case Reply::Kind::real:
      return out.push_back(shortest(*reply.as_double()));
    case Reply::Kind::boolean:
      return out.push_back(*reply.as_bool() ? "1" : "0");
    default:
      break;
  }
  if (!reply.is_aggregate()) return out.push_back(normal(reply.text()));
  for (const Reply& item : reply.items()) add(out, item);
}
inline void add(Leaves& out, const std::string& text) {
  out.push_back(normal(text));
}
inline void add(Leaves& out, bool value) {
  out.push_back(value ? "1" : "0");
}
inline void add(Leaves& out, std::int64_t value) {
  out.push_back(normal(std::to_string(value)));
}
inline void add(Leaves& out, double value) {
  out.push_back(shortest(value));
}
inline void add(Leaves& out, const StreamEntry& entry) {
  out.push_back(entry.id);
  for (const auto& [field, value] : entry.fields) {
    out.push_back(normal(field));
    out.push_back(normal(value));
  }
}
template <class T>
void add(Leaves& out, const std::optional<T>& value);
template <class A, class B>
void add(Leaves& out, const std::pair<A, B>& pair);
template <class... T>
void add(Leaves& out, const std::tuple<T...>& tuple);
template <class T>
requires(requires(const T& t) { t.begin(); } &&
         !std::is_same_v<T, std::string>) void add(Leaves& out, const T& all) {
  for (const auto& one : all) add(out, one);
}
template <class T>
void add(Leaves& out, const std::optional<T>& value) {
  if (value) return add(out, *value);
  out.push_back("(nil)");
}
template <class A, class B>
void add(Leaves& out, const std::pair<A, B>& pair) {
  add(out, pair.first);
  add(out, pair.second);
}
template <class... T>
void add(Leaves& out, const std::tuple<T...>& tuple) {
  std::apply([&](const auto&... part) { (add(out, part), ...); }, tuple);
}

template <class T>
inline constexpr bool has_own_order = requires {
  typename T::key_type;
};

// What the raw reply says, for a call of type T.
template <class T>
Leaves expected(const Result<Reply>& raw) {
  Leaves out;
  if (!raw) return {"error " + raw.error().message};
  if (std::is_same_v<T, bool> && raw->is_null()) return {"0"};
  if (std::is_same_v<T, bool> && raw->text() == "OK") return {"1"};
  add(out, *raw);
  if (has_own_order<T>) std::sort(out.begin(), out.end());
  return out;
}
template <class T>
Leaves got(const Result<T>& value) {
  Leaves out;
  if (!value) return {"error " + value.error().message};
  if constexpr (std::is_void_v<T>) {
    out = {"OK"};
  } else {
    add(out, *value);
  }
  if (has_own_order<T>) std::sort(out.begin(), out.end());
  return out;
}

}  // namespace slotcar::client
