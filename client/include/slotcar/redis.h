// One method per command, in three forms that differ only in how they wait and report errors:
//
//   Redis redis(client);           Result<std::optional<std::string>> v = redis.get("k");
//   AsyncRedis redis(client);      Result<std::optional<std::string>> v = co_await redis.get("k");
//   ThrowingRedis redis(client);   std::optional<std::string> v = redis.get("k");
//
// All are small, refer to their client and may be copied; any number of threads use one at once.
// The methods are in slotcar/commands/, a file per group. Options of a call (its timeout, a stop
// token, a lane group) are given with `with`: redis.with({.timeout = 50ms}).get("k").
#pragma once

#include "slotcar/client.h"
#include "slotcar/commands/all.h"
#include "slotcar/redis_error.h"
#include "slotcar/scan.h"

namespace slotcar::client {

namespace detail {

// The ranges of scan.h as methods.
template <class Self>
class ScanMethods {
 public:
  template <class T = std::string>
  Scan<T> scan_keys(commands::ScanOptions rules = {}) {
    return self().scanning(client::scan_keys<T>(self().client(), std::move(rules)));
  }
  template <class T = std::pair<std::string, std::string>>
  Scan<T> scan_hash(std::string key, commands::HscanOptions rules = {}) {
    return self().scanning(client::scan_hash<T>(self().client(), std::move(key), std::move(rules)));
  }
  template <class T = std::string>
  Scan<T> scan_set(std::string key, commands::SscanOptions rules = {}) {
    return self().scanning(client::scan_set<T>(self().client(), std::move(key), std::move(rules)));
  }
  template <class T = std::pair<std::string, double>>
  Scan<T> scan_sorted_set(std::string key, commands::ZscanOptions rules = {}) {
    return self().scanning(
        client::scan_sorted_set<T>(self().client(), std::move(key), std::move(rules)));
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

}  // namespace detail

class Redis : public commands::AllCommands<Redis>, public detail::ScanMethods<Redis> {
 public:
  explicit Redis(Client& client, CallOptions options = {})
      : client_(&client), options_(std::move(options)) {}
  template <class T>
  Result<T> send(Typed<T> request) {
    return client_->run(std::move(request), options_);
  }
  template <class... T>
  std::tuple<Result<T>...> pipeline(Typed<T>... requests) {
    return client_->pipeline_with(options_, std::move(requests)...).get();
  }
  template <class... T>
  Result<std::tuple<Result<T>...>> atomically(Typed<T>... requests) {
    return client_->atomically(std::move(requests)...);
  }
  Redis with(CallOptions options) const { return Redis(*client_, std::move(options)); }
  Client& client() const { return *client_; }
  template <class T>
  Scan<T> scanning(Scan<T> scan) {
    return scan;
  }

 private:
  Client* client_;
  CallOptions options_;
};

// Each call returns a typed Pending: get, future, then, co_await.
class AsyncRedis : public commands::AllCommands<AsyncRedis>,
                   public detail::ScanMethods<AsyncRedis> {
 public:
  explicit AsyncRedis(Client& client, CallOptions options = {})
      : client_(&client), options_(std::move(options)) {}
  template <class T>
  TypedPending<T> send(Typed<T> request) {
    return client_->call(std::move(request), options_);
  }
  template <class... T>
  Pipeline<T...> pipeline(Typed<T>... requests) {
    return client_->pipeline_with(options_, std::move(requests)...);
  }
  template <class... T>
  Task<Result<std::tuple<Result<T>...>>> atomically(Typed<T>... requests) {
    return client_->atomically_call(std::move(requests)...);
  }
  AsyncRedis with(CallOptions options) const { return AsyncRedis(*client_, std::move(options)); }
  Client& client() const { return *client_; }
  template <class T>
  Scan<T> scanning(Scan<T> scan) {
    return scan;
  }

 private:
  Client* client_;
  CallOptions options_;
};

class ThrowingRedis : public commands::AllCommands<ThrowingRedis>,
                      public detail::ScanMethods<ThrowingRedis> {
 public:
  explicit ThrowingRedis(Client& client, CallOptions options = {})
      : redis_(client, std::move(options)) {}
  template <class T>
  T send(Typed<T> request) {
    return value_or_throw(redis_.send(std::move(request)));
  }
  // Throws the first error; the others of the pipeline have been sent all the same.
  template <class... T>
  std::tuple<detail::Stored<T>...> pipeline(Typed<T>... requests) {
    return values(redis_.pipeline(std::move(requests)...));
  }
  template <class... T>
  std::tuple<detail::Stored<T>...> atomically(Typed<T>... requests) {
    return values(value_or_throw(redis_.atomically(std::move(requests)...)));
  }
  ThrowingRedis with(CallOptions options) const {
    return ThrowingRedis(redis_.client(), std::move(options));
  }
  Client& client() const { return redis_.client(); }
  template <class T>
  Scan<T> scanning(Scan<T> scan) {
    return std::move(scan).throwing();
  }

 private:
  template <class T>
  static detail::Stored<T> stored(Result<T>&& result) {
    if constexpr (std::is_void_v<T>) {
      value_or_throw(std::move(result));
      return {};
    } else {
      return value_or_throw(std::move(result));
    }
  }
  template <class... T>
  static std::tuple<detail::Stored<T>...> values(std::tuple<Result<T>...>&& results) {
    return std::apply(
        [](auto&... result) {
          return std::tuple<detail::Stored<T>...>(stored(std::move(result))...);
        },
        results);
  }
  Redis redis_;
};

}  // namespace slotcar::client
