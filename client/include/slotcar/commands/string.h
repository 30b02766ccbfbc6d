// Typed calls of the group string. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
struct GetexOptions {
  std::optional<std::chrono::seconds> ex = {};
  std::optional<std::chrono::milliseconds> px = {};
  std::optional<std::int64_t> exat = {};
  std::optional<std::int64_t> pxat = {};
  bool persist = false;
};
struct LcsOptions {
  bool idx = false;
  std::optional<std::int64_t> minmatchlen = {};
  bool withmatchlen = false;
};
struct SetOptions {
  std::optional<std::string> ifeq = {};
  std::optional<std::chrono::seconds> ex = {};
  std::optional<std::chrono::milliseconds> px = {};
  std::optional<std::int64_t> exat = {};
  std::optional<std::int64_t> pxat = {};
  bool keepttl = false;
  std::optional<OnlyIf> only_if = {};
};
template <class R = std::int64_t>
Typed<R> append(std::string_view key, const Argument& value) {
  Request request("APPEND");
  request.key(key);
  request.arg(value.text());
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> decr(std::string_view key) {
  Request request("DECR");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> decrby(std::string_view key, std::int64_t decrement) {
  Request request("DECRBY");
  request.key(key);
  request.arg(decrement);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> delifeq(std::string_view key, const Argument& value) {
  Request request("DELIFEQ");
  request.key(key);
  request.arg(value.text());
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::string>>
Typed<R> get(std::string_view key) {
  Request request("GET");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::string>>
Typed<R> getdel(std::string_view key) {
  Request request("GETDEL");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::string>>
Typed<R> getex(std::string_view key, const GetexOptions& options = {}) {
  Request request("GETEX");
  request.key(key);
  if (options.ex) request.arg("EX").arg((*options.ex).count());
  if (options.px) request.arg("PX").arg((*options.px).count());
  if (options.exat) request.arg("EXAT").arg((*options.exat));
  if (options.pxat) request.arg("PXAT").arg((*options.pxat));
  if (options.persist) request.arg("PERSIST");
  return Typed<R>(std::move(request));
}
template <class R = std::string>
Typed<R> getrange(std::string_view key, std::int64_t start, std::int64_t end) {
  Request request("GETRANGE");
  request.key(key);
  request.arg(start);
  request.arg(end);
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::string>>
Typed<R> getset(std::string_view key, const Argument& value) {
  Request request("GETSET");
  request.key(key);
  request.arg(value.text());
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> incr(std::string_view key) {
  Request request("INCR");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> incrby(std::string_view key, std::int64_t increment) {
  Request request("INCRBY");
  request.key(key);
  request.arg(increment);
  return Typed<R>(std::move(request));
}
template <class R = double>
Typed<R> incrbyfloat(std::string_view key, double increment) {
  Request request("INCRBYFLOAT");
  request.key(key);
  request.arg(increment);
  return Typed<R>(std::move(request));
}
template <class R = std::string>
Typed<R> lcs(std::string_view key1, std::string_view key2, const LcsOptions& options = {}) {
  Request request("LCS");
  request.key(key1);
  request.key(key2);
  if (options.idx) request.arg("IDX");
  if (options.minmatchlen) request.arg("MINMATCHLEN").arg((*options.minmatchlen));
  if (options.withmatchlen) request.arg("WITHMATCHLEN");
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> lcs(std::string_view key1, std::string_view key2, LenWord,
             const LcsOptions& options = {}) {
  Request request("LCS");
  request.key(key1);
  request.key(key2);
  request.arg("LEN");
  if (options.idx) request.arg("IDX");
  if (options.minmatchlen) request.arg("MINMATCHLEN").arg((*options.minmatchlen));
  if (options.withmatchlen) request.arg("WITHMATCHLEN");
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::optional<std::string>>>
Typed<R> mget(const Arguments& keys) {
  Request request("MGET");
  keys.add_to(request, As::keys);
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> mset(const Rows<2>& rows) {
  Request request("MSET");
  rows.add_to(request, As::keys);
  return Typed<R>(std::move(request));
}
template <class R = bool>
Typed<R> msetnx(const Rows<2>& rows) {
  Request request("MSETNX");
  rows.add_to(request, As::keys);
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> psetex(std::string_view key, std::chrono::milliseconds milliseconds,
                const Argument& value) {
  Request request("PSETEX");
  request.key(key);
  request.arg(milliseconds.count());
  request.arg(value.text());
  return Typed<R>(std::move(request));
}
template <class R = bool>
Typed<R> set(std::string_view key, const Argument& value, const SetOptions& options = {}) {
  Request request("SET");
  request.key(key);
  request.arg(value.text());
  if (options.only_if) request.arg(text_of(*options.only_if));
  if (options.ifeq) request.arg("IFEQ").arg((*options.ifeq));
  if (options.ex) request.arg("EX").arg((*options.ex).count());
  if (options.px) request.arg("PX").arg((*options.px).count());
  if (options.exat) request.arg("EXAT").arg((*options.exat));
  if (options.pxat) request.arg("PXAT").arg((*options.pxat));
  if (options.keepttl) request.arg("KEEPTTL");
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::string>>
Typed<R> set(std::string_view key, const Argument& value, GetWord, const SetOptions& options = {}) {
  Request request("SET");
  request.key(key);
  request.arg(value.text());
  if (options.only_if) request.arg(text_of(*options.only_if));
  if (options.ifeq) request.arg("IFEQ").arg((*options.ifeq));
  request.arg("GET");
  if (options.ex) request.arg("EX").arg((*options.ex).count());
  if (options.px) request.arg("PX").arg((*options.px).count());
  if (options.exat) request.arg("EXAT").arg((*options.exat));
  if (options.pxat) request.arg("PXAT").arg((*options.pxat));
  if (options.keepttl) request.arg("KEEPTTL");
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> setex(std::string_view key, std::chrono::seconds seconds, const Argument& value) {
  Request request("SETEX");
  request.key(key);
  request.arg(seconds.count());
  request.arg(value.text());
  return Typed<R>(std::move(request));
}
template <class R = bool>
Typed<R> setnx(std::string_view key, const Argument& value) {
  Request request("SETNX");
  request.key(key);
  request.arg(value.text());
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> setrange(std::string_view key, std::int64_t offset, const Argument& value) {
  Request request("SETRANGE");
  request.key(key);
  request.arg(offset);
  request.arg(value.text());
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> strlen(std::string_view key) {
  Request request("STRLEN");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::string>
Typed<R> substr(std::string_view key, std::int64_t start, std::int64_t end) {
  Request request("SUBSTR");
  request.key(key);
  request.arg(start);
  request.arg(end);
  return Typed<R>(std::move(request));
}
template <class Self>
class StringCommands {
 public:
  template <class R = std::int64_t>
  auto append(std::string_view key, const Argument& value) {
    return self().send(commands::append<R>(key, value));
  }
  template <class R = std::int64_t>
  auto decr(std::string_view key) {
    return self().send(commands::decr<R>(key));
  }
  template <class R = std::int64_t>
  auto decrby(std::string_view key, std::int64_t decrement) {
    return self().send(commands::decrby<R>(key, decrement));
  }
  template <class R = std::int64_t>
  auto delifeq(std::string_view key, const Argument& value) {
    return self().send(commands::delifeq<R>(key, value));
  }
  template <class R = std::optional<std::string>>
  auto get(std::string_view key) {
    return self().send(commands::get<R>(key));
  }
  template <class R = std::optional<std::string>>
  auto getdel(std::string_view key) {
    return self().send(commands::getdel<R>(key));
  }
  template <class R = std::optional<std::string>>
  auto getex(std::string_view key, const GetexOptions& options = {}) {
    return self().send(commands::getex<R>(key, options));
  }
  template <class R = std::string>
  auto getrange(std::string_view key, std::int64_t start, std::int64_t end) {
    return self().send(commands::getrange<R>(key, start, end));
  }
  template <class R = std::optional<std::string>>
  auto getset(std::string_view key, const Argument& value) {
    return self().send(commands::getset<R>(key, value));
  }
  template <class R = std::int64_t>
  auto incr(std::string_view key) {
    return self().send(commands::incr<R>(key));
  }
  template <class R = std::int64_t>
  auto incrby(std::string_view key, std::int64_t increment) {
    return self().send(commands::incrby<R>(key, increment));
  }
  template <class R = double>
  auto incrbyfloat(std::string_view key, double increment) {
    return self().send(commands::incrbyfloat<R>(key, increment));
  }
  template <class R = std::string>
  auto lcs(std::string_view key1, std::string_view key2, const LcsOptions& options = {}) {
    return self().send(commands::lcs<R>(key1, key2, options));
  }
  template <class R = std::int64_t>
  auto lcs(std::string_view key1, std::string_view key2, LenWord, const LcsOptions& options = {}) {
    return self().send(commands::lcs<R>(key1, key2, LenWord{}, options));
  }
  template <class R = std::vector<std::optional<std::string>>>
  auto mget(const Arguments& keys) {
    return self().send(commands::mget<R>(keys));
  }
  template <class R = void>
  auto mset(const Rows<2>& rows) {
    return self().send(commands::mset<R>(rows));
  }
  template <class R = bool>
  auto msetnx(const Rows<2>& rows) {
    return self().send(commands::msetnx<R>(rows));
  }
  template <class R = void>
  auto psetex(std::string_view key, std::chrono::milliseconds milliseconds, const Argument& value) {
    return self().send(commands::psetex<R>(key, milliseconds, value));
  }
  template <class R = bool>
  auto set(std::string_view key, const Argument& value, const SetOptions& options = {}) {
    return self().send(commands::set<R>(key, value, options));
  }
  template <class R = std::optional<std::string>>
  auto set(std::string_view key, const Argument& value, GetWord, const SetOptions& options = {}) {
    return self().send(commands::set<R>(key, value, GetWord{}, options));
  }
  template <class R = void>
  auto setex(std::string_view key, std::chrono::seconds seconds, const Argument& value) {
    return self().send(commands::setex<R>(key, seconds, value));
  }
  template <class R = bool>
  auto setnx(std::string_view key, const Argument& value) {
    return self().send(commands::setnx<R>(key, value));
  }
  template <class R = std::int64_t>
  auto setrange(std::string_view key, std::int64_t offset, const Argument& value) {
    return self().send(commands::setrange<R>(key, offset, value));
  }
  template <class R = std::int64_t>
  auto strlen(std::string_view key) {
    return self().send(commands::strlen<R>(key));
  }
  template <class R = std::string>
  auto substr(std::string_view key, std::int64_t start, std::int64_t end) {
    return self().send(commands::substr<R>(key, start, end));
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};
}  // namespace slotcar::client::commands
