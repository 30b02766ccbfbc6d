// decode<T>: a reply as a C++ value, in either protocol. T may be a string, a number, a bool, an
// optional (null), a pair or tuple (a list of that size), any container of these, a map, void (OK),
// Reply itself, a struct whose members are the fields of a hash (hash_fields.h), or your own type
// with one function in its namespace:
//
//   slotcar::client::Status from_reply(const slotcar::client::Reply& reply, Point& point);
//
// A list of pairs and a map read the same from RESP2's flat lists and from RESP3's pairs and maps.
// The text of a reply is moved, not copied.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "slotcar/hash_fields.h"
#include "slotcar/reply.h"

namespace slotcar::client {

template <class T>
Result<T> decode(Reply&& reply);

namespace detail {

template <class T>
concept TupleLike = requires {
  std::tuple_size<T>::value;
};
template <class T>
concept MapLike = requires {
  typename T::key_type;
  typename T::mapped_type;
};
template <class T>
concept Container = requires(T container, typename T::value_type value) {
  container.insert(container.end(), std::move(value));
};
template <class T>
concept OwnType = requires(const Reply& reply, T& value) {
  { from_reply(reply, value) } -> std::same_as<Status>;
};

Error wrong_reply(const Reply& reply, const char* wanted);

template <class T, std::size_t... I>
Result<T> decode_tuple(std::vector<Reply>&& items, std::index_sequence<I...>) {
  std::optional<Error> error;
  const auto one = [&]<class Element>(Reply&& item, std::optional<Element>& into) {
    if (error) return;
    auto value = decode<Element>(std::move(item));
    if (value)
      into.emplace(std::move(*value));
    else
      error = value.error();
  };
  std::tuple<std::optional<std::remove_const_t<std::tuple_element_t<I, T>>>...> parts;
  (one(std::move(items[I]), std::get<I>(parts)), ...);
  if (error) return std::move(*error);
  return T(std::move(*std::get<I>(parts))...);
}

// The elements of pairs as a flat list, from either form of the reply; nothing if they are not
// pairs.
std::optional<std::vector<Reply>> take_flat_pairs(Reply&& reply);

template <class T, class First, class Second>
Result<T> decode_pairs(Reply&& reply) {
  auto flat = take_flat_pairs(std::move(reply));
  if (!flat) return wrong_reply(reply, "pairs");
  T all;
  for (std::size_t i = 0; i < flat->size(); i += 2) {
    auto first = decode<First>(std::move((*flat)[i]));
    if (!first) return first.error();
    auto second = decode<Second>(std::move((*flat)[i + 1]));
    if (!second) return second.error();
    all.insert(all.end(), typename T::value_type(std::move(*first), std::move(*second)));
  }
  return all;
}

Error missing_field(std::string_view name);

template <class T>
Result<T> decode_hash(Reply&& reply) {
  auto flat = take_flat_pairs(std::move(reply));
  if (!flat) return wrong_reply(reply, "a hash");
  T object{};
  std::optional<Error> error;
  for_each_field<T>([&](const auto& field) {
    using Member = std::remove_cvref_t<decltype(object.*field.member)>;
    if (error) return;
    Reply* found = nullptr;
    for (std::size_t i = 0; i < flat->size(); i += 2) {
      if ((*flat)[i].text() == field.name) found = &(*flat)[i + 1];
    }
    if (!found) {
      if (!is_optional<Member>) error = missing_field(field.name);
      return;
    }
    auto value = decode<Member>(std::move(*found));
    if (value)
      object.*field.member = std::move(*value);
    else
      error = value.error();
  });
  if (error) return std::move(*error);
  return object;
}

template <class T>
Result<T> decode_list(Reply&& reply) {
  if (!reply.is_aggregate()) return wrong_reply(reply, "a list");
  T all;
  if constexpr (requires { all.reserve(reply.size()); }) all.reserve(reply.size());
  for (Reply& item : reply.take_items()) {
    auto value = decode<typename T::value_type>(std::move(item));
    if (!value) return value.error();
    all.insert(all.end(), std::move(*value));
  }
  return all;
}

template <class T>
inline constexpr bool is_pair = false;
template <class A, class B>
inline constexpr bool is_pair<std::pair<A, B>> = true;

template <class T>
Result<T> decode_integer(const Reply& reply) {
  auto number = reply.as_integer();
  if (!number) return number.error();
  if (!std::in_range<T>(*number)) return wrong_reply(reply, "an integer of this width");
  return static_cast<T>(*number);
}

}  // namespace detail

template <class T>
Result<T> decode(Reply&& reply) {
  if constexpr (std::same_as<T, Reply>) {
    return std::move(reply);
  } else if constexpr (std::is_void_v<T>) {
    return reply.as_ok();
  } else if constexpr (detail::OwnType<T>) {
    T value{};
    if (Status read = from_reply(reply, value); !read) return read.error();
    return value;
  } else if constexpr (detail::HashMapped<T>) {
    return detail::decode_hash<T>(std::move(reply));
  } else if constexpr (detail::is_optional<T>) {
    // The commonest of all, with the fewest moves.
    if constexpr (std::same_as<typename T::value_type, std::string>) {
      if (reply.has_text()) [[likely]]
        return Result<T>(std::in_place, std::move(reply).text());
    }
    if (reply.is_null()) return T();
    // HGETALL of a key that does not exist.
    if constexpr (detail::HashMapped<typename T::value_type>) {
      if (reply.is_aggregate() && reply.size() == 0) return T();
    }
    auto value = decode<typename T::value_type>(std::move(reply));
    if (!value) return value.error();
    return T(std::move(*value));
  } else if constexpr (std::same_as<T, std::string>) {
    if (reply.has_text()) return Result<T>(std::in_place, std::move(reply).text());
    return reply.as_string();
  } else if constexpr (std::same_as<T, bool>) {
    return reply.as_bool();
  } else if constexpr (std::integral<T>) {
    return detail::decode_integer<T>(reply);
  } else if constexpr (std::floating_point<T>) {
    auto number = reply.as_double();
    if (!number) return number.error();
    return static_cast<T>(*number);
  } else if constexpr (detail::MapLike<T>) {
    return detail::decode_pairs<T, typename T::key_type, typename T::mapped_type>(std::move(reply));
  } else if constexpr (detail::TupleLike<T>) {
    constexpr std::size_t size = std::tuple_size_v<T>;
    if (!reply.is_aggregate() || reply.size() != size) {
      return detail::wrong_reply(reply, "a list of the tuple's length");
    }
    return detail::decode_tuple<T>(reply.take_items(), std::make_index_sequence<size>{});
  } else if constexpr (detail::Container<T>) {
    if constexpr (detail::is_pair<typename T::value_type>) {
      using Pair = typename T::value_type;
      return detail::decode_pairs<T, typename Pair::first_type, typename Pair::second_type>(
          std::move(reply));
    } else {
      return detail::decode_list<T>(std::move(reply));
    }
  } else {
    static_assert(detail::OwnType<T>, "give the type a from_reply in its own namespace");
  }
}

// Of the common types, compiled once, in the library.
extern template Result<void> decode<void>(Reply&& reply);
extern template Result<bool> decode<bool>(Reply&& reply);
extern template Result<std::int64_t> decode<std::int64_t>(Reply&& reply);
extern template Result<double> decode<double>(Reply&& reply);
extern template Result<std::string> decode<std::string>(Reply&& reply);
extern template Result<std::optional<std::string>> decode<std::optional<std::string>>(
    Reply&& reply);
extern template Result<std::optional<std::int64_t>> decode<std::optional<std::int64_t>>(
    Reply&& reply);
extern template Result<std::optional<double>> decode<std::optional<double>>(Reply&& reply);
extern template Result<std::vector<std::string>> decode<std::vector<std::string>>(Reply&& reply);
extern template Result<std::set<std::string>> decode<std::set<std::string>>(Reply&& reply);
extern template Result<std::vector<std::optional<std::string>>>
decode<std::vector<std::optional<std::string>>>(Reply&& reply);
extern template Result<std::map<std::string, std::string>>
decode<std::map<std::string, std::string>>(Reply&& reply);
extern template Result<std::vector<std::pair<std::string, double>>>
decode<std::vector<std::pair<std::string, double>>>(Reply&& reply);
extern template Result<std::vector<std::pair<std::string, std::string>>>
decode<std::vector<std::pair<std::string, std::string>>>(Reply&& reply);

}  // namespace slotcar::client
