// Typed calls of the group hash. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
struct HexpireOptions {
  std::optional<OnlyIf> only_if = {};
};
struct HexpireatOptions {
  std::optional<OnlyIf> only_if = {};
};
struct HgetexOptions {
  std::optional<std::chrono::seconds> ex = {};
  std::optional<std::chrono::milliseconds> px = {};
  std::optional<std::int64_t> exat = {};
  std::optional<std::int64_t> pxat = {};
  bool persist = false;
};
struct HpexpireOptions {
  std::optional<OnlyIf> only_if = {};
};
struct HpexpireatOptions {
  std::optional<OnlyIf> only_if = {};
};
struct HscanOptions {
  std::optional<std::string> match = {};
  std::optional<std::int64_t> count = {};
  bool novalues = false;
};
enum class HsetexCondition { fnx, fxx };
constexpr std::string_view text_of(HsetexCondition word) {
  constexpr std::string_view kTexts[] = {"FNX", "FXX"};
  return kTexts[static_cast<int>(word)];
}
struct HsetexOptions {
  std::optional<HsetexCondition> condition = {};
  std::optional<std::chrono::seconds> ex = {};
  std::optional<std::chrono::milliseconds> px = {};
  std::optional<std::int64_t> exat = {};
  std::optional<std::int64_t> pxat = {};
  bool keepttl = false;
};
template <class R = std::int64_t>
Typed<R> hdel(std::string_view key, const Arguments& fields) {
  Request request("HDEL");
  request.key(key);
  fields.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = bool>
Typed<R> hexists(std::string_view key, const Argument& field) {
  Request request("HEXISTS");
  request.key(key);
  request.arg(field.text());
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::int64_t>>
Typed<R> hexpire(std::string_view key, std::chrono::seconds seconds, const Arguments& fields,
                 const HexpireOptions& options = {}) {
  Request request("HEXPIRE");
  request.key(key);
  request.arg(seconds.count());
  if (options.only_if) request.arg(text_of(*options.only_if));
  request.arg("FIELDS");
  request.arg(fields.size());
  fields.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::int64_t>>
Typed<R> hexpireat(std::string_view key, std::int64_t unix_time_seconds, const Arguments& fields,
                   const HexpireatOptions& options = {}) {
  Request request("HEXPIREAT");
  request.key(key);
  request.arg(unix_time_seconds);
  if (options.only_if) request.arg(text_of(*options.only_if));
  request.arg("FIELDS");
  request.arg(fields.size());
  fields.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::int64_t>>
Typed<R> hexpiretime(std::string_view key, const Arguments& fields) {
  Request request("HEXPIRETIME");
  request.key(key);
  request.arg("FIELDS");
  request.arg(fields.size());
  fields.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::string>>
Typed<R> hget(std::string_view key, const Argument& field) {
  Request request("HGET");
  request.key(key);
  request.arg(field.text());
  return Typed<R>(std::move(request));
}
template <class R = std::map<std::string, std::string>>
Typed<R> hgetall(std::string_view key) {
  Request request("HGETALL");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::optional<std::string>>>
Typed<R> hgetdel(std::string_view key, const Arguments& fields) {
  Request request("HGETDEL");
  request.key(key);
  request.arg("FIELDS");
  request.arg(fields.size());
  fields.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::optional<std::string>>>
Typed<R> hgetex(std::string_view key, const Arguments& fields, const HgetexOptions& options = {}) {
  Request request("HGETEX");
  request.key(key);
  if (options.ex) request.arg("EX").arg((*options.ex).count());
  if (options.px) request.arg("PX").arg((*options.px).count());
  if (options.exat) request.arg("EXAT").arg((*options.exat));
  if (options.pxat) request.arg("PXAT").arg((*options.pxat));
  if (options.persist) request.arg("PERSIST");
  request.arg("FIELDS");
  request.arg(fields.size());
  fields.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> hincrby(std::string_view key, const Argument& field, std::int64_t increment) {
  Request request("HINCRBY");
  request.key(key);
  request.arg(field.text());
  request.arg(increment);
  return Typed<R>(std::move(request));
}
template <class R = double>
Typed<R> hincrbyfloat(std::string_view key, const Argument& field, double increment) {
  Request request("HINCRBYFLOAT");
  request.key(key);
  request.arg(field.text());
  request.arg(increment);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> hkeys(std::string_view key) {
  Request request("HKEYS");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> hlen(std::string_view key) {
  Request request("HLEN");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::optional<std::string>>>
Typed<R> hmget(std::string_view key, const Arguments& fields) {
  Request request("HMGET");
  request.key(key);
  fields.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> hmset(std::string_view key, const Rows<2>& rows) {
  Request request("HMSET");
  request.key(key);
  rows.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::int64_t>>
Typed<R> hpersist(std::string_view key, const Arguments& fields) {
  Request request("HPERSIST");
  request.key(key);
  request.arg("FIELDS");
  request.arg(fields.size());
  fields.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::int64_t>>
Typed<R> hpexpire(std::string_view key, std::chrono::milliseconds milliseconds,
                  const Arguments& fields, const HpexpireOptions& options = {}) {
  Request request("HPEXPIRE");
  request.key(key);
  request.arg(milliseconds.count());
  if (options.only_if) request.arg(text_of(*options.only_if));
  request.arg("FIELDS");
  request.arg(fields.size());
  fields.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::int64_t>>
Typed<R> hpexpireat(std::string_view key, std::int64_t unix_time_milliseconds,
                    const Arguments& fields, const HpexpireatOptions& options = {}) {
  Request request("HPEXPIREAT");
  request.key(key);
  request.arg(unix_time_milliseconds);
  if (options.only_if) request.arg(text_of(*options.only_if));
  request.arg("FIELDS");
  request.arg(fields.size());
  fields.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::int64_t>>
Typed<R> hpexpiretime(std::string_view key, const Arguments& fields) {
  Request request("HPEXPIRETIME");
  request.key(key);
  request.arg("FIELDS");
  request.arg(fields.size());
  fields.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::int64_t>>
Typed<R> hpttl(std::string_view key, const Arguments& fields) {
  Request request("HPTTL");
  request.key(key);
  request.arg("FIELDS");
  request.arg(fields.size());
  fields.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::string>>
Typed<R> hrandfield(std::string_view key) {
  Request request("HRANDFIELD");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> hrandfield(std::string_view key, std::int64_t count) {
  Request request("HRANDFIELD");
  request.key(key);
  request.arg(count);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::pair<std::string, std::string>>>
Typed<R> hrandfield(std::string_view key, std::int64_t count, WithvaluesWord) {
  Request request("HRANDFIELD");
  request.key(key);
  request.arg(count);
  request.arg("WITHVALUES");
  return Typed<R>(std::move(request));
}
template <class R = std::pair<std::string, std::vector<std::pair<std::string, std::string>>>>
Typed<R> hscan(std::string_view key, const Argument& cursor, const HscanOptions& options = {}) {
  Request request("HSCAN");
  request.key(key);
  request.arg(cursor.text());
  if (options.match) request.arg("MATCH").arg((*options.match));
  if (options.count) request.arg("COUNT").arg((*options.count));
  if (options.novalues) request.arg("NOVALUES");
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> hset(std::string_view key, const Rows<2>& rows) {
  Request request("HSET");
  request.key(key);
  rows.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = bool>
Typed<R> hsetex(std::string_view key, const Rows<2>& rows, const HsetexOptions& options = {}) {
  Request request("HSETEX");
  request.key(key);
  if (options.condition) request.arg(text_of(*options.condition));
  if (options.ex) request.arg("EX").arg((*options.ex).count());
  if (options.px) request.arg("PX").arg((*options.px).count());
  if (options.exat) request.arg("EXAT").arg((*options.exat));
  if (options.pxat) request.arg("PXAT").arg((*options.pxat));
  if (options.keepttl) request.arg("KEEPTTL");
  request.arg("FIELDS");
  request.arg(rows.size());
  rows.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = bool>
Typed<R> hsetnx(std::string_view key, const Argument& field, const Argument& value) {
  Request request("HSETNX");
  request.key(key);
  request.arg(field.text());
  request.arg(value.text());
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> hstrlen(std::string_view key, const Argument& field) {
  Request request("HSTRLEN");
  request.key(key);
  request.arg(field.text());
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::int64_t>>
Typed<R> httl(std::string_view key, const Arguments& fields) {
  Request request("HTTL");
  request.key(key);
  request.arg("FIELDS");
  request.arg(fields.size());
  fields.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> hvals(std::string_view key) {
  Request request("HVALS");
  request.key(key);
  return Typed<R>(std::move(request));
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
