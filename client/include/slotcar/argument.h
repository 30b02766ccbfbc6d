// The parameters of typed commands: one value (Argument), any number of them (Arguments), any
// number of pairs or triples (Rows). They refer to their sources and live for one call. The
// compiler makes them by conversion:
//
//   redis.set("k", 12.5);                       // text, numbers, your own type
//   redis.del({"a", "b"});  redis.del(keys);    // a list, or any range of values
//   redis.del(std::ranges::subrange(first, last));   // iterators
//   redis.hset("h", {{"f", "v"}, {"n", 1}});    // pairs, or a map, or any range of pairs
//   redis.hset("h", user);                      // a struct, see hash_fields.h
//
// Your own type becomes a value by one function in its namespace:
//
//   std::string to_argument(const Point& point);
#pragma once

#include <charconv>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "slotcar/hash_fields.h"
#include "slotcar/request.h"

namespace slotcar::client {

namespace detail {

template <class T>
concept Text = std::is_convertible_v<const T&, std::string_view>;
template <class T>
concept OwnArgument = requires(const T& value) {
  { to_argument(value) } -> std::convertible_to<std::string>;
};

}  // namespace detail

class Argument {
 public:
  template <detail::Text T>
  Argument(const T& text) : text_(text) {}
  template <std::integral T>
  Argument(T value) {
    static_assert(!detail::is_wide_character<T>, "encode the text first; Redis stores bytes");
    if constexpr (std::same_as<T, char>) {
      digits_[0] = value;
      text_ = {digits_, 1};
    } else if constexpr (std::same_as<T, bool>) {
      text_ = value ? "1" : "0";
    } else {
      text_ = {digits_, std::to_chars(digits_, digits_ + sizeof digits_, value).ptr};
    }
  }
  // The shortest text that reads back as the same number.
  template <std::floating_point T>
  Argument(T value) : text_(digits_, std::to_chars(digits_, digits_ + sizeof digits_, value).ptr) {}
  template <detail::OwnArgument T>
  requires(!detail::Text<T> && !std::is_arithmetic_v<T>) Argument(const T& value)
      : own_(to_argument(value)), text_(own_) {}
  Argument(const Argument&) = delete;
  Argument& operator=(const Argument&) = delete;

  std::string_view text() const { return text_; }

 private:
  std::string own_;
  std::string_view text_;
  char digits_[48];
};

namespace detail {

template <class R>
concept ArgumentRange = std::ranges::forward_range<R> && !Text<std::remove_cvref_t<R>> &&
                        std::is_convertible_v<std::ranges::range_reference_t<R>, Argument>;
template <class R, std::size_t N>
concept RowRange =
    std::ranges::forward_range<R> &&
    std::tuple_size<std::remove_cvref_t<std::ranges::range_reference_t<R>>>::value == N;

template <class R>
std::remove_reference_t<R>& range_at(const void* object) {
  return *static_cast<std::remove_reference_t<R>*>(const_cast<void*>(object));
}

}  // namespace detail

// How a run of values is put into a request.
enum class As : std::uint8_t { values, keys };

class Arguments {
 public:
  Arguments() = default;
  Arguments(std::initializer_list<Argument> list)
      : object_(list.begin()),
        size_(list.size()),
        add_([](const Arguments& self, Request& request, As as) {
          const auto* first = static_cast<const Argument*>(self.object_);
          for (std::size_t i = 0; i < self.size_; ++i) put(request, first[i], as);
        }) {}
  template <class T>
  requires(std::is_convertible_v<const T&, Argument> && !std::same_as<T, Arguments>)
      Arguments(const T& one)
      : object_(&one), size_(1), add_([](const Arguments& self, Request& request, As as) {
          put(request, *static_cast<const T*>(self.object_), as);
        }) {}
  // Literals are arrays of any length.
  template <std::size_t N>
  Arguments(const char (&one)[N])
      : object_(one), size_(1), add_([](const Arguments& self, Request& request, As as) {
          put(request, static_cast<const char*>(self.object_), as);
        }) {}
  // A range that can be read twice: it is counted first. Views too, and they need not be const.
  template <class R>
  requires(detail::ArgumentRange<R> && !std::is_convertible_v<R, Argument>) Arguments(R&& range)
      : object_(std::addressof(range)),
        size_(static_cast<std::size_t>(std::ranges::distance(range))),
        add_([](const Arguments& self, Request& request, As as) {
          for (auto&& value : detail::range_at<R>(self.object_)) put(request, value, as);
        }) {}
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  std::size_t size() const { return size_; }
  void add_to(Request& request, As as = As::values) const {
    if (size_ > 0) add_(*this, request, as);
  }

 private:
  static void put(Request& request, const Argument& value, As as) {
    as == As::keys ? request.key(value.text()) : request.arg(value.text());
  }
  const void* object_ = nullptr;
  std::size_t size_ = 0;
  void (*add_)(const Arguments&, Request&, As) = nullptr;
};

// N values that belong together: a field and its value, a score and its member.
template <std::size_t N>
class Rows {
 public:
  struct Row {
    Argument columns[N];
  };

  Rows(std::initializer_list<Row> list)
      : object_(list.begin()),
        size_(list.size()),
        add_([](const Rows& self, Request& request, As first) {
          const auto* row = static_cast<const Row*>(self.object_);
          for (std::size_t i = 0; i < self.size_; ++i) {
            for (std::size_t c = 0; c < N; ++c)
              put(request, row[i].columns[c], c == 0 ? first : As::values);
          }
        }) {}
  // A map, a vector of pairs or tuples, any such range.
  template <class R>
  requires detail::RowRange<R, N> Rows(R&& range)
      : object_(std::addressof(range)),
        size_(static_cast<std::size_t>(std::ranges::distance(range))),
        add_([](const Rows& self, Request& request, As first) {
          for (auto&& row : detail::range_at<R>(self.object_)) {
            As as = first;
            std::apply(
                [&](const auto&... column) {
                  (put(request, column, std::exchange(as, As::values)), ...);
                },
                row);
          }
        }) {}
  // The members of a struct.
  template <detail::HashMapped T>
  requires(N == 2) Rows(const T& object)
      : object_(&object), add_([](const Rows& self, Request& request, As first) {
          detail::for_each_value(*static_cast<const T*>(self.object_),
                                 [&](std::string_view name, const auto& value) {
                                   put(request, name, first);
                                   put(request, value, As::values);
                                 });
        }) {
    detail::for_each_value(object, [this](std::string_view, const auto&) { ++size_; });
  }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  std::size_t size() const { return size_; }
  // `first`: what the first of each row is; the others are values.
  void add_to(Request& request, As first = As::values) const {
    if (size_ > 0) add_(*this, request, first);
  }

 private:
  static void put(Request& request, const Argument& value, As as) {
    as == As::keys ? request.key(value.text()) : request.arg(value.text());
  }
  const void* object_ = nullptr;
  std::size_t size_ = 0;
  void (*add_)(const Rows&, Request&, As) = nullptr;
};

}  // namespace slotcar::client
