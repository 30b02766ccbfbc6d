// Typed calls of the group hash. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
struct HexpireOptions {
  Given<OnlyIf> only_if = {};
};
struct HexpireatOptions {
  Given<OnlyIf> only_if = {};
};
struct HgetexOptions {
  std::optional<std::chrono::seconds> ex = {};
  std::optional<std::chrono::milliseconds> px = {};
  std::optional<std::int64_t> exat = {};
  std::optional<std::int64_t> pxat = {};
  bool persist = false;
};
struct HpexpireOptions {
  Given<OnlyIf> only_if = {};
};
struct HpexpireatOptions {
  Given<OnlyIf> only_if = {};
};
struct HscanOptions {
  std::optional<std::string> match = {};
  std::optional<std::int64_t> count = {};
  bool novalues = false;
};
enum class HsetexCondition { fnx, fxx };
struct HsetexOptions {
  Given<HsetexCondition> condition = {};
  std::optional<std::chrono::seconds> ex = {};
  std::optional<std::chrono::milliseconds> px = {};
  std::optional<std::int64_t> exat = {};
  std::optional<std::int64_t> pxat = {};
  bool keepttl = false;
};
namespace requests {
Request hdel(std::string_view key, const Arguments& fields);
Request hexists(std::string_view key, const Argument& field);
Request hexpire(std::string_view key, std::chrono::seconds seconds, const Arguments& fields,
                const HexpireOptions& options);
Request hexpireat(std::string_view key, std::int64_t unix_time_seconds, const Arguments& fields,
                  const HexpireatOptions& options);
Request hexpiretime(std::string_view key, const Arguments& fields);
Request hget(std::string_view key, const Argument& field);
Request hgetall(std::string_view key);
Request hgetdel(std::string_view key, const Arguments& fields);
Request hgetex(std::string_view key, const Arguments& fields, const HgetexOptions& options);
Request hincrby(std::string_view key, const Argument& field, std::int64_t increment);
Request hincrbyfloat(std::string_view key, const Argument& field, double increment);
Request hkeys(std::string_view key);
Request hlen(std::string_view key);
Request hmget(std::string_view key, const Arguments& fields);
Request hmset(std::string_view key, const Rows<2>& rows);
Request hpersist(std::string_view key, const Arguments& fields);
Request hpexpire(std::string_view key, std::chrono::milliseconds milliseconds,
                 const Arguments& fields, const HpexpireOptions& options);
Request hpexpireat(std::string_view key, std::int64_t unix_time_milliseconds,
                   const Arguments& fields, const HpexpireatOptions& options);
Request hpexpiretime(std::string_view key, const Arguments& fields);
Request hpttl(std::string_view key, const Arguments& fields);
Request hrandfield(std::string_view key);
Request hrandfield(std::string_view key, std::int64_t count);
Request hrandfield(std::string_view key, std::int64_t count, WithvaluesWord);
Request hscan(std::string_view key, const Argument& cursor, const HscanOptions& options);
Request hset(std::string_view key, const Rows<2>& rows);
Request hsetex(std::string_view key, const Rows<2>& rows, const HsetexOptions& options);
Request hsetnx(std::string_view key, const Argument& field, const Argument& value);
Request hstrlen(std::string_view key, const Argument& field);
Request httl(std::string_view key, const Arguments& fields);
Request hvals(std::string_view key);
}  // namespace requests

template <class R = std::int64_t>
Typed<R> hdel(std::string_view key, const Arguments& fields) {
  return Typed<R>{requests::hdel(key, fields)};
}
template <class R = bool>
Typed<R> hexists(std::string_view key, const Argument& field) {
  return Typed<R>{requests::hexists(key, field)};
}
template <class R = std::vector<std::int64_t>>
Typed<R> hexpire(std::string_view key, std::chrono::seconds seconds, const Arguments& fields,
                 const HexpireOptions& options = {}) {
  return Typed<R>{requests::hexpire(key, seconds, fields, options)};
}
template <class R = std::vector<std::int64_t>>
Typed<R> hexpireat(std::string_view key, std::int64_t unix_time_seconds, const Arguments& fields,
                   const HexpireatOptions& options = {}) {
  return Typed<R>{requests::hexpireat(key, unix_time_seconds, fields, options)};
}
template <class R = std::vector<std::int64_t>>
Typed<R> hexpiretime(std::string_view key, const Arguments& fields) {
  return Typed<R>{requests::hexpiretime(key, fields)};
}
template <class R = std::optional<std::string>>
Typed<R> hget(std::string_view key, const Argument& field) {
  return Typed<R>{requests::hget(key, field)};
}
template <class R = std::map<std::string, std::string>>
Typed<R> hgetall(std::string_view key) {
  return Typed<R>{requests::hgetall(key)};
}
template <class R = std::vector<std::optional<std::string>>>
Typed<R> hgetdel(std::string_view key, const Arguments& fields) {
  return Typed<R>{requests::hgetdel(key, fields)};
}
template <class R = std::vector<std::optional<std::string>>>
Typed<R> hgetex(std::string_view key, const Arguments& fields, const HgetexOptions& options = {}) {
  return Typed<R>{requests::hgetex(key, fields, options)};
}
template <class R = std::int64_t>
Typed<R> hincrby(std::string_view key, const Argument& field, std::int64_t increment) {
  return Typed<R>{requests::hincrby(key, field, increment)};
}
template <class R = double>
Typed<R> hincrbyfloat(std::string_view key, const Argument& field, double increment) {
  return Typed<R>{requests::hincrbyfloat(key, field, increment)};
}
template <class R = std::vector<std::string>>
Typed<R> hkeys(std::string_view key) {
  return Typed<R>{requests::hkeys(key)};
}
template <class R = std::int64_t>
Typed<R> hlen(std::string_view key) {
  return Typed<R>{requests::hlen(key)};
}
template <class R = std::vector<std::optional<std::string>>>
Typed<R> hmget(std::string_view key, const Arguments& fields) {
  return Typed<R>{requests::hmget(key, fields)};
}
template <class R = void>
Typed<R> hmset(std::string_view key, const Rows<2>& rows) {
  return Typed<R>{requests::hmset(key, rows)};
}
template <class R = std::vector<std::int64_t>>
Typed<R> hpersist(std::string_view key, const Arguments& fields) {
  return Typed<R>{requests::hpersist(key, fields)};
}
template <class R = std::vector<std::int64_t>>
Typed<R> hpexpire(std::string_view key, std::chrono::milliseconds milliseconds,
                  const Arguments& fields, const HpexpireOptions& options = {}) {
  return Typed<R>{requests::hpexpire(key, milliseconds, fields, options)};
}
template <class R = std::vector<std::int64_t>>
Typed<R> hpexpireat(std::string_view key, std::int64_t unix_time_milliseconds,
                    const Arguments& fields, const HpexpireatOptions& options = {}) {
  return Typed<R>{requests::hpexpireat(key, unix_time_milliseconds, fields, options)};
}
template <class R = std::vector<std::int64_t>>
Typed<R> hpexpiretime(std::string_view key, const Arguments& fields) {
  return Typed<R>{requests::hpexpiretime(key, fields)};
}
template <class R = std::vector<std::int64_t>>
Typed<R> hpttl(std::string_view key, const Arguments& fields) {
  return Typed<R>{requests::hpttl(key, fields)};
}
template <class R = std::optional<std::string>>
Typed<R> hrandfield(std::string_view key) {
  return Typed<R>{requests::hrandfield(key)};
}
template <class R = std::vector<std::string>>
Typed<R> hrandfield(std::string_view key, std::int64_t count) {
  return Typed<R>{requests::hrandfield(key, count)};
}
template <class R = std::vector<std::pair<std::string, std::string>>>
Typed<R> hrandfield(std::string_view key, std::int64_t count, WithvaluesWord) {
  return Typed<R>{requests::hrandfield(key, count, WithvaluesWord{})};
}
template <class R = std::pair<std::string, std::vector<std::pair<std::string, std::string>>>>
Typed<R> hscan(std::string_view key, const Argument& cursor, const HscanOptions& options = {}) {
  return Typed<R>{requests::hscan(key, cursor, options)};
}
template <class R = std::int64_t>
Typed<R> hset(std::string_view key, const Rows<2>& rows) {
  return Typed<R>{requests::hset(key, rows)};
}
template <class R = bool>
Typed<R> hsetex(std::string_view key, const Rows<2>& rows, const HsetexOptions& options = {}) {
  return Typed<R>{requests::hsetex(key, rows, options)};
}
template <class R = bool>
Typed<R> hsetnx(std::string_view key, const Argument& field, const Argument& value) {
  return Typed<R>{requests::hsetnx(key, field, value)};
}
template <class R = std::int64_t>
Typed<R> hstrlen(std::string_view key, const Argument& field) {
  return Typed<R>{requests::hstrlen(key, field)};
}
template <class R = std::vector<std::int64_t>>
Typed<R> httl(std::string_view key, const Arguments& fields) {
  return Typed<R>{requests::httl(key, fields)};
}
template <class R = std::vector<std::string>>
Typed<R> hvals(std::string_view key) {
  return Typed<R>{requests::hvals(key)};
}
template <class Self>
class HashCommands {
 public:
  template <class R = std::int64_t>
  auto hdel(std::string_view key, const Arguments& fields) {
    return self().send(commands::hdel<R>(key, fields));
  }
  template <class R = bool>
  auto hexists(std::string_view key, const Argument& field) {
    return self().send(commands::hexists<R>(key, field));
  }
  template <class R = std::vector<std::int64_t>>
  auto hexpire(std::string_view key, std::chrono::seconds seconds, const Arguments& fields,
               const HexpireOptions& options = {}) {
    return self().send(commands::hexpire<R>(key, seconds, fields, options));
  }
  template <class R = std::vector<std::int64_t>>
  auto hexpireat(std::string_view key, std::int64_t unix_time_seconds, const Arguments& fields,
                 const HexpireatOptions& options = {}) {
    return self().send(commands::hexpireat<R>(key, unix_time_seconds, fields, options));
  }
  template <class R = std::vector<std::int64_t>>
  auto hexpiretime(std::string_view key, const Arguments& fields) {
    return self().send(commands::hexpiretime<R>(key, fields));
  }
  template <class R = std::optional<std::string>>
  auto hget(std::string_view key, const Argument& field) {
    return self().send(commands::hget<R>(key, field));
  }
  template <class R = std::map<std::string, std::string>>
  auto hgetall(std::string_view key) {
    return self().send(commands::hgetall<R>(key));
  }
  template <class R = std::vector<std::optional<std::string>>>
  auto hgetdel(std::string_view key, const Arguments& fields) {
    return self().send(commands::hgetdel<R>(key, fields));
  }
  template <class R = std::vector<std::optional<std::string>>>
  auto hgetex(std::string_view key, const Arguments& fields, const HgetexOptions& options = {}) {
    return self().send(commands::hgetex<R>(key, fields, options));
  }
  template <class R = std::int64_t>
  auto hincrby(std::string_view key, const Argument& field, std::int64_t increment) {
    return self().send(commands::hincrby<R>(key, field, increment));
  }
  template <class R = double>
  auto hincrbyfloat(std::string_view key, const Argument& field, double increment) {
    return self().send(commands::hincrbyfloat<R>(key, field, increment));
  }
  template <class R = std::vector<std::string>>
  auto hkeys(std::string_view key) {
    return self().send(commands::hkeys<R>(key));
  }
  template <class R = std::int64_t>
  auto hlen(std::string_view key) {
    return self().send(commands::hlen<R>(key));
  }
  template <class R = std::vector<std::optional<std::string>>>
  auto hmget(std::string_view key, const Arguments& fields) {
    return self().send(commands::hmget<R>(key, fields));
  }
  template <class R = void>
  auto hmset(std::string_view key, const Rows<2>& rows) {
    return self().send(commands::hmset<R>(key, rows));
  }
  template <class R = std::vector<std::int64_t>>
  auto hpersist(std::string_view key, const Arguments& fields) {
    return self().send(commands::hpersist<R>(key, fields));
  }
  template <class R = std::vector<std::int64_t>>
  auto hpexpire(std::string_view key, std::chrono::milliseconds milliseconds,
                const Arguments& fields, const HpexpireOptions& options = {}) {
    return self().send(commands::hpexpire<R>(key, milliseconds, fields, options));
  }
  template <class R = std::vector<std::int64_t>>
  auto hpexpireat(std::string_view key, std::int64_t unix_time_milliseconds,
                  const Arguments& fields, const HpexpireatOptions& options = {}) {
    return self().send(commands::hpexpireat<R>(key, unix_time_milliseconds, fields, options));
  }
  template <class R = std::vector<std::int64_t>>
  auto hpexpiretime(std::string_view key, const Arguments& fields) {
    return self().send(commands::hpexpiretime<R>(key, fields));
  }
  template <class R = std::vector<std::int64_t>>
  auto hpttl(std::string_view key, const Arguments& fields) {
    return self().send(commands::hpttl<R>(key, fields));
  }
  template <class R = std::optional<std::string>>
  auto hrandfield(std::string_view key) {
    return self().send(commands::hrandfield<R>(key));
  }
  template <class R = std::vector<std::string>>
  auto hrandfield(std::string_view key, std::int64_t count) {
    return self().send(commands::hrandfield<R>(key, count));
  }
  template <class R = std::vector<std::pair<std::string, std::string>>>
  auto hrandfield(std::string_view key, std::int64_t count, WithvaluesWord) {
    return self().send(commands::hrandfield<R>(key, count, WithvaluesWord{}));
  }
  template <class R = std::pair<std::string, std::vector<std::pair<std::string, std::string>>>>
  auto hscan(std::string_view key, const Argument& cursor, const HscanOptions& options = {}) {
    return self().send(commands::hscan<R>(key, cursor, options));
  }
  template <class R = std::int64_t>
  auto hset(std::string_view key, const Rows<2>& rows) {
    return self().send(commands::hset<R>(key, rows));
  }
  template <class R = bool>
  auto hsetex(std::string_view key, const Rows<2>& rows, const HsetexOptions& options = {}) {
    return self().send(commands::hsetex<R>(key, rows, options));
  }
  template <class R = bool>
  auto hsetnx(std::string_view key, const Argument& field, const Argument& value) {
    return self().send(commands::hsetnx<R>(key, field, value));
  }
  template <class R = std::int64_t>
  auto hstrlen(std::string_view key, const Argument& field) {
    return self().send(commands::hstrlen<R>(key, field));
  }
  template <class R = std::vector<std::int64_t>>
  auto httl(std::string_view key, const Arguments& fields) {
    return self().send(commands::httl<R>(key, fields));
  }
  template <class R = std::vector<std::string>>
  auto hvals(std::string_view key) {
    return self().send(commands::hvals<R>(key));
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};
}  // namespace slotcar::client::commands
