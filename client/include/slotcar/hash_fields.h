// A struct as a hash: one function in its namespace names its members.
//
//   struct User {
//     std::string name;
//     int age = 0;
//     std::optional<std::string> mail;
//   };
//   constexpr auto hash_fields(const User*) {
//     return std::tuple(Field("name", &User::name), Field("age", &User::age),
//                       Field("mail", &User::mail));
//   }
//
//   redis.hset("user:1", user);                                    // HSET user:1 name ann age 7
//   auto user = redis.hgetall<std::optional<User>>("user:1");      // nothing: there is no such key
//
// An empty optional is not written; a field that the hash has already keeps its value then. Reading
// ignores fields that the struct does not have, and fails if one is missing that is not optional.
#pragma once

#include <optional>
#include <string_view>
#include <tuple>

namespace slotcar::client {

template <class T, class M>
struct Field {
  constexpr Field(std::string_view n, M T::*m) : name(n), member(m) {}
  std::string_view name;
  M T::*member;
};

namespace detail {

template <class T>
concept HashMapped = requires {
  hash_fields(static_cast<const T*>(nullptr));
};

template <HashMapped T, class F>
constexpr void for_each_field(F&& visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); },
             hash_fields(static_cast<const T*>(nullptr)));
}

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

// Calls `visit(name, value)` for each member that has a value.
template <HashMapped T, class F>
void for_each_value(const T& object, F&& visit) {
  for_each_field<T>([&](const auto& field) {
    const auto& value = object.*field.member;
    if constexpr (is_optional<std::remove_cvref_t<decltype(value)>>) {
      if (value) visit(field.name, *value);
    } else {
      visit(field.name, value);
    }
  });
}

}  // namespace detail

}  // namespace slotcar::client
