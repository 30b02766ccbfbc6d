// RedisError: what the throwing forms throw. `error` is the Error that a Result would have had.
#pragma once

#include <stdexcept>
#include <utility>

#include "slotcar/error.h"

namespace slotcar::client {

class RedisError : public std::runtime_error {
 public:
  explicit RedisError(Error e) : std::runtime_error(e.message), error_(std::move(e)) {}
  const Error& error() const { return error_; }

 private:
  Error error_;
};

// The value of a result, or the exception.
template <class T>
T value_or_throw(Result<T>&& result) {
  if (!result) throw RedisError(result.error());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

}  // namespace slotcar::client
