// Script: a Lua script that is sent by its digest, and with its text where the server does not know
// it yet (EVALSHA, then EVAL). It can be shared by threads and sent to any number of servers.
//
//   const Script add_up("return redis.call('incrby', KEYS[1], ARGV[1])");
//   Result<std::int64_t> sum = add_up.run<std::int64_t>(client, {"total"}, {5});
//   auto sum = co_await add_up.call<std::int64_t>(client, {"total"}, {5});     // see g++ 12 in
//   lanes.md
//
// A script that only reads is said so, and may then be repeated after a broken connection:
//
//   const Script length("return redis.call('strlen', KEYS[1])", Script::read_only);
//
// FunctionLibrary: the same for functions (FCALL): the library is loaded when a function is
// missing. In a cluster, load it on every node yourself (FUNCTION LOAD has no key, and goes to one
// of them).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "slotcar/argument.h"
#include "slotcar/client.h"
#include "slotcar/task.h"

namespace slotcar::client {

namespace detail {

// A call that is repeated once in another form if the server lacks something: EVAL for EVALSHA, or
// FUNCTION LOAD before FCALL.
class TwoStepCall {
 public:
  virtual ~TwoStepCall() = default;
  // The requests that follow this error, the last of which is the call; none: the error stands.
  virtual std::vector<Request> after(const Request& first, const Error& error) const = 0;
};

Result<Reply> run_steps(Client& client, Request first, std::shared_ptr<const TwoStepCall> steps,
                        CallOptions options);
Task<Result<Reply>> call_steps(Client& client, Request first,
                               std::shared_ptr<const TwoStepCall> steps, CallOptions options);
template <class T>
Task<Result<T>> decoded(Task<Result<Reply>> reply) {
  co_return decode_result<T>(co_await std::move(reply));
}

}  // namespace detail

class Script {
 public:
  struct ReadOnly {};
  static constexpr ReadOnly read_only{};

  explicit Script(std::string text);
  Script(std::string text, ReadOnly);

  // 40 hexadecimal digits, as SCRIPT LOAD returns them.
  const std::string& digest() const { return digest_; }

  template <class T = Reply>
  Result<T> run(Client& client, const Arguments& keys = {}, const Arguments& arguments = {},
                CallOptions options = {}) const {
    return detail::decode_result<T>(
        detail::run_steps(client, request(keys, arguments), steps_, std::move(options)));
  }
  template <class T = Reply>
  Task<Result<T>> call(Client& client, const Arguments& keys = {}, const Arguments& arguments = {},
                       CallOptions options = {}) const {
    return detail::decoded<T>(
        detail::call_steps(client, request(keys, arguments), steps_, std::move(options)));
  }

 private:
  Request request(const Arguments& keys, const Arguments& arguments) const;

  std::string digest_;
  bool reads_ = false;
  std::shared_ptr<const detail::TwoStepCall> steps_;
};

class FunctionLibrary {
 public:
  // The code with its first line, "#!lua name=mylib".
  explicit FunctionLibrary(std::string code);

  template <class T = Reply>
  Result<T> run(Client& client, std::string_view function, const Arguments& keys = {},
                const Arguments& arguments = {}, CallOptions options = {}) const {
    return detail::decode_result<T>(
        detail::run_steps(client, request(function, keys, arguments), steps_, std::move(options)));
  }
  template <class T = Reply>
  Task<Result<T>> call(Client& client, std::string_view function, const Arguments& keys = {},
                       const Arguments& arguments = {}, CallOptions options = {}) const {
    return detail::decoded<T>(
        detail::call_steps(client, request(function, keys, arguments), steps_, std::move(options)));
  }

 private:
  static Request request(std::string_view function, const Arguments& keys,
                         const Arguments& arguments);
  std::shared_ptr<const detail::TwoStepCall> steps_;
};

}  // namespace slotcar::client
