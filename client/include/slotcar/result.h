// BasicResult<T, E>: a value, or an error of type E that says why there is none.
//
// Reading the value of a failure, or the error of a success, ends the program with a message, in
// every build.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace slotcar {

namespace detail {

[[noreturn]] inline void value_of_failure(const std::string& message) {
  std::fprintf(stderr, "slotcar: value() of a failed result: %s\n", message.c_str());
  std::abort();
}
[[noreturn]] inline void error_of_success() {
  std::fputs("slotcar: error() of a result that has none\n", stderr);
  std::abort();
}

}  // namespace detail

template <class T, class E>
class [[nodiscard]] BasicResult {
 public:
  using value_type = T;
  using error_type = E;

  BasicResult(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  BasicResult(E error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & {
    check_value();
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    check_value();
    return *std::get_if<0>(&state_);
  }
  T&& value() && { return std::move(value()); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(value()); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T value_or(T other) const& { return ok() ? value() : std::move(other); }
  T value_or(T other) && { return ok() ? std::move(value()) : std::move(other); }

  const E& error() const {
    if (ok()) [[unlikely]]
      detail::error_of_success();
    return *std::get_if<1>(&state_);
  }

 private:
  void check_value() const {
    if (!ok()) [[unlikely]]
      detail::value_of_failure(std::get_if<1>(&state_)->message);
  }

  std::variant<T, E> state_;
};

// Nothing, or why not.
template <class E>
class [[nodiscard]] BasicResult<void, E> {
 public:
  using value_type = void;
  using error_type = E;

  BasicResult() = default;
  BasicResult(E error) : error_(std::move(error)) {}

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  void value() const {
    if (!ok()) [[unlikely]]
      detail::value_of_failure(error_->message);
  }
  const E& error() const {
    if (ok()) [[unlikely]]
      detail::error_of_success();
    return *error_;
  }

 private:
  std::optional<E> error_;
};

}  // namespace slotcar
