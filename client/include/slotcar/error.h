// Error and Result: what a call gives when it does not give a reply. Never thrown.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace slotcar::client {

struct Error {
  enum class Kind {
    server,           // the server answered with an error; `message` is its text
    timeout,          // no answer in time
    cancelled,        // the caller's stop token said so
    connection,       // no connection could be made in time; the call was never sent
    outcome_unknown,  // sent, and the connection broke before the answer
    overloaded,       // a bounded queue is full; the call was never sent
    closed,           // the client is shutting down
    protocol,         // the server sent what cannot be understood
    usage,            // a request that must not be sent this way; the message says what to do
    conversion,       // the reply is not of the type that was asked for
    aborted,          // a transaction whose watched keys have changed; nothing was done
    moved,            // a transaction whose slot has moved; nothing was done; start it again
  };
  // What is known about the call's effect on the server.
  enum class Ran { no, unknown, yes };

  Kind kind = Kind::usage;
  Ran ran = Ran::no;
  std::string message = {};

  // It is safe to send the same call again, whatever it does.
  bool retryable() const { return ran == Ran::no && kind != Kind::usage && kind != Kind::closed; }
  // The first word of a server's error: "WRONGTYPE", "MOVED", "ERR".
  std::string_view code() const { return std::string_view(message).substr(0, message.find(' ')); }
};

std::string_view name_of(Error::Kind kind);

// A value, or why there is none. Asking for the value of a failure ends the program with its text,
// as asking for the value of an empty optional should.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return *checked(); }
  T&& value() && { return std::move(*checked()); }
  const T& value() const& { return *const_cast<Result*>(this)->checked(); }
  T& operator*() & { return *checked(); }
  T&& operator*() && { return std::move(*checked()); }
  const T& operator*() const& { return value(); }
  T* operator->() { return checked(); }
  const T* operator->() const { return const_cast<Result*>(this)->checked(); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  T* checked() {
    if (ok()) return std::get_if<0>(&state_);
    std::fprintf(stderr, "slotcar: value() of a failed result: %s\n", error().message.c_str());
    std::abort();
  }
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}
  bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};
using Status = Result<void>;

}  // namespace slotcar::client
