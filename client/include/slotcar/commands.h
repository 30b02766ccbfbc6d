// Thin typed forms of the most common commands. Everything else goes through Client::run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slotcar/client.h"

namespace slotcar::client {

class Commands {
 public:
  explicit Commands(Client& client, CallOptions options = {})
      : client_(client), options_(std::move(options)) {}

  Result<std::optional<std::string>> get(std::string_view key) {
    return convert(Request("GET").key(key), &Reply::as_optional_string);
  }
  Status set(std::string_view key, std::string_view value) {
    return convert_status(Request("SET").key(key).arg(value));
  }
  Status set(std::string_view key, std::string_view value, Millis lifetime) {
    return convert_status(Request("SET").key(key).arg(value).arg("PX").arg(lifetime.count()));
  }
  // False: it was there already.
  Result<bool> set_if_absent(std::string_view key, std::string_view value) {
    return convert(Request("SET").key(key).arg(value).arg("NX"), &Reply::as_bool);
  }
  Result<std::int64_t> del(std::initializer_list<std::string_view> keys) {
    return convert(with_keys("DEL", keys), &Reply::as_integer);
  }
  Result<std::int64_t> exists(std::initializer_list<std::string_view> keys) {
    return convert(with_keys("EXISTS", keys), &Reply::as_integer);
  }
  Result<std::int64_t> incr_by(std::string_view key, std::int64_t amount = 1) {
    return convert(Request("INCRBY").key(key).arg(amount), &Reply::as_integer);
  }
  Result<bool> expire(std::string_view key, Millis lifetime) {
    return convert(Request("PEXPIRE").key(key).arg(lifetime.count()), &Reply::as_bool);
  }
  Result<std::vector<std::optional<std::string>>> mget(
      std::initializer_list<std::string_view> keys) {
    return convert(with_keys("MGET", keys), &Reply::as_optional_strings);
  }
  Result<std::int64_t> hset(std::string_view key, std::string_view field, std::string_view value) {
    return convert(Request("HSET").key(key).arg(field).arg(value), &Reply::as_integer);
  }
  Result<std::optional<std::string>> hget(std::string_view key, std::string_view field) {
    return convert(Request("HGET").key(key).arg(field), &Reply::as_optional_string);
  }
  Result<std::map<std::string, std::string>> hgetall(std::string_view key) {
    return convert(Request("HGETALL").key(key), &Reply::as_map);
  }
  Result<std::int64_t> rpush(std::string_view key, std::string_view value) {
    return convert(Request("RPUSH").key(key).arg(value), &Reply::as_integer);
  }
  Result<std::optional<std::string>> lpop(std::string_view key) {
    return convert(Request("LPOP").key(key), &Reply::as_optional_string);
  }
  Result<std::vector<std::string>> lrange(std::string_view key, std::int64_t first,
                                          std::int64_t last) {
    return convert(Request("LRANGE").key(key).arg(first).arg(last), &Reply::as_strings);
  }
  // Waits on a connection of its own. Nothing: timed out.
  Result<std::optional<std::pair<std::string, std::string>>> blpop(std::string_view key,
                                                                   Millis at_most) {
    auto reply = client_.run(Request("BLPOP").key(key).arg(seconds(at_most)), options_);
    if (!reply) return reply.error();
    if (reply->is_null()) return std::optional<std::pair<std::string, std::string>>();
    auto both = reply->as_strings();
    if (!both) return both.error();
    return std::optional(std::pair((*both)[0], (*both)[1]));
  }
  Result<std::int64_t> sadd(std::string_view key, std::string_view member) {
    return convert(Request("SADD").key(key).arg(member), &Reply::as_integer);
  }
  Result<std::vector<std::string>> smembers(std::string_view key) {
    return convert(Request("SMEMBERS").key(key), &Reply::as_strings);
  }
  Result<std::int64_t> zadd(std::string_view key, double score, std::string_view member) {
    return convert(Request("ZADD").key(key).arg(score).arg(member), &Reply::as_integer);
  }
  Result<std::int64_t> publish(std::string_view channel, std::string_view payload) {
    return convert(Request("PUBLISH").arg(channel).arg(payload), &Reply::as_integer);
  }
  Result<std::string> ping() { return convert(Request("PING"), &Reply::as_string); }

 private:
  static double seconds(Millis duration) { return static_cast<double>(duration.count()) / 1000; }
  static Request with_keys(std::string_view command, std::initializer_list<std::string_view> keys) {
    Request request(command);
    for (const std::string_view key : keys) request.key(key);
    return request;
  }
  template <class T>
  Result<T> convert(Request&& request, Result<T> (Reply::*as)() const) {
    auto reply = client_.run(std::move(request), options_);
    if (!reply) return reply.error();
    return ((*reply).*as)();
  }
  Status convert_status(Request&& request) {
    auto reply = client_.run(std::move(request), options_);
    if (!reply) return reply.error();
    return reply->as_ok();
  }

  Client& client_;
  CallOptions options_;
};

}  // namespace slotcar::client
