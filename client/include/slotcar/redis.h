// One method per command, in three forms that differ only in how they wait and report errors:
//
//   Redis redis(client);           Result<std::optional<std::string>> v = redis.get("k");
//   AsyncRedis redis(client);      Result<std::optional<std::string>> v = co_await redis.get("k");
//   ThrowingRedis redis(client);   std::optional<std::string> v = redis.get("k");
//
// All are small, refer to their client and may be copied; any number of threads use one at once.
// The methods are in slotcar/commands/, a file per group.
#pragma once

#include <stdexcept>

#include "slotcar/client.h"
#include "slotcar/commands/all.h"

namespace slotcar::client {

class Redis : public commands::AllCommands<Redis> {
 public:
  explicit Redis(Client& client, CallOptions options = {})
      : client_(&client), options_(std::move(options)) {}
  template <class T>
  Result<T> send(Typed<T> request) {
    return client_->run(std::move(request), options_);
  }
  template <class... T>
  std::tuple<Result<T>...> pipeline(Typed<T>... requests) {
    return client_->pipeline(std::move(requests)...).get();
  }

 private:
  Client* client_;
  CallOptions options_;
};

// Each call returns a typed Pending: get, future, then, co_await.
class AsyncRedis : public commands::AllCommands<AsyncRedis> {
 public:
  explicit AsyncRedis(Client& client, CallOptions options = {})
      : client_(&client), options_(std::move(options)) {}
  template <class T>
  TypedPending<T> send(Typed<T> request) {
    return client_->call(std::move(request), options_);
  }
  template <class... T>
  Pipeline<T...> pipeline(Typed<T>... requests) {
    return client_->pipeline(std::move(requests)...);
  }

 private:
  Client* client_;
  CallOptions options_;
};

// What ThrowingRedis throws; `error` is the Error that a Result would have had.
class RedisError : public std::runtime_error {
 public:
  explicit RedisError(Error e) : std::runtime_error(e.message), error_(std::move(e)) {}
  const Error& error() const { return error_; }

 private:
  Error error_;
};

class ThrowingRedis : public commands::AllCommands<ThrowingRedis> {
 public:
  explicit ThrowingRedis(Client& client, CallOptions options = {})
      : redis_(client, std::move(options)) {}
  template <class T>
  T send(Typed<T> request) {
    Result<T> result = redis_.send(std::move(request));
    if (!result) throw RedisError(result.error());
    if constexpr (!std::is_void_v<T>) return std::move(*result);
  }

 private:
  Redis redis_;
};

}  // namespace slotcar::client
