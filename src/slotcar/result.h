// BasicResult<T, E>: a value, or an error of type E that says why there is none. The server and
// the client library share it, each with an error type of its own: slotcar::Result (base/result.h)
// and slotcar::client::Result. It stands in a folder of its own because it is installed with the
// client's headers, as slotcar/result.h.
//
// Reading the value of a failure, or the error of a success, ends the program with a message, in
// every build.
//
// A union and a flag, not a std::variant: a program that uses the client library has a result for
// each type of reply, and std::variant took a tenth of its time to compile.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

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

// g++ 12 does not see that the flag says which of the two there is.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
template <class T, class E>
class [[nodiscard]] BasicResult {
 public:
  using value_type = T;
  using error_type = E;

  BasicResult(T value) : ok_(true) { new (&value_) T(std::move(value)); }
  // The value is made in its place.
  template <class... A>
  explicit BasicResult(std::in_place_t, A&&... arguments) : ok_(true) {
    new (&value_) T(std::forward<A>(arguments)...);
  }
  BasicResult(E error) : ok_(false) { new (&error_) E(std::move(error)); }
  BasicResult(const BasicResult& other) requires std::is_copy_constructible_v<T> : ok_(other.ok_) {
    if (ok_)
      new (&value_) T(other.value_);
    else
      new (&error_) E(other.error_);
  }
  BasicResult(BasicResult&& other) noexcept : ok_(other.ok_) {
    if (ok_)
      new (&value_) T(std::move(other.value_));
    else
      new (&error_) E(std::move(other.error_));
  }
  BasicResult& operator=(BasicResult other) noexcept {
    destroy();
    new (this) BasicResult(std::move(other));
    return *this;
  }
  ~BasicResult() { destroy(); }

  bool ok() const { return ok_; }
  explicit operator bool() const { return ok_; }

  T& value() & {
    check_value();
    return value_;
  }
  const T& value() const& {
    check_value();
    return value_;
  }
  // By value: what is read from a temporary may be kept, or walked over by a `for`.
  T value() && { return std::move(value()); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T operator*() && { return std::move(value()); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T value_or(T other) const& { return ok() ? value() : std::move(other); }
  T value_or(T other) && { return ok() ? std::move(value()) : std::move(other); }

  const E& error() const {
    if (ok()) [[unlikely]]
      detail::error_of_success();
    return error_;
  }

 private:
  void check_value() const {
    if (!ok()) [[unlikely]]
      detail::value_of_failure(error_.message);
  }
  void destroy() {
    if (ok_)
      value_.~T();
    else
      error_.~E();
  }

  union {
    T value_;
    E error_;
  };
  bool ok_;
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

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
