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
  Given<OnlyIf> only_if = {};
};
namespace requests {
Request append(std::string_view key, const Argument& value);
Request decr(std::string_view key);
Request decrby(std::string_view key, std::int64_t decrement);
Request delifeq(std::string_view key, const Argument& value);
Request get(std::string_view key);
Request getdel(std::string_view key);
Request getex(std::string_view key, const GetexOptions& options);
Request getrange(std::string_view key, std::int64_t start, std::int64_t end);
Request getset(std::string_view key, const Argument& value);
Request incr(std::string_view key);
Request incrby(std::string_view key, std::int64_t increment);
Request incrbyfloat(std::string_view key, double increment);
Request lcs(std::string_view key1, std::string_view key2, const LcsOptions& options);
Request lcs(std::string_view key1, std::string_view key2, LenWord, const LcsOptions& options);
Request mget(const Arguments& keys);
Request mset(const Rows<2>& rows);
Request msetnx(const Rows<2>& rows);
Request psetex(std::string_view key, std::chrono::milliseconds milliseconds, const Argument& value);
Request set(std::string_view key, const Argument& value, const SetOptions& options);
Request set(std::string_view key, const Argument& value, GetWord, const SetOptions& options);
Request setex(std::string_view key, std::chrono::seconds seconds, const Argument& value);
Request setnx(std::string_view key, const Argument& value);
Request setrange(std::string_view key, std::int64_t offset, const Argument& value);
Request strlen(std::string_view key);
Request substr(std::string_view key, std::int64_t start, std::int64_t end);
}  // namespace requests

template <class R = std::int64_t>
Typed<R> append(std::string_view key, const Argument& value) {
  return Typed<R>{requests::append(key, value)};
}
template <class R = std::int64_t>
Typed<R> decr(std::string_view key) {
  return Typed<R>{requests::decr(key)};
}
template <class R = std::int64_t>
Typed<R> decrby(std::string_view key, std::int64_t decrement) {
  return Typed<R>{requests::decrby(key, decrement)};
}
template <class R = std::int64_t>
Typed<R> delifeq(std::string_view key, const Argument& value) {
  return Typed<R>{requests::delifeq(key, value)};
}
template <class R = std::optional<std::string>>
Typed<R> get(std::string_view key) {
  return Typed<R>{requests::get(key)};
}
template <class R = std::optional<std::string>>
Typed<R> getdel(std::string_view key) {
  return Typed<R>{requests::getdel(key)};
}
template <class R = std::optional<std::string>>
Typed<R> getex(std::string_view key, const GetexOptions& options = {}) {
  return Typed<R>{requests::getex(key, options)};
}
template <class R = std::string>
Typed<R> getrange(std::string_view key, std::int64_t start, std::int64_t end) {
  return Typed<R>{requests::getrange(key, start, end)};
}
template <class R = std::optional<std::string>>
Typed<R> getset(std::string_view key, const Argument& value) {
  return Typed<R>{requests::getset(key, value)};
}
template <class R = std::int64_t>
Typed<R> incr(std::string_view key) {
  return Typed<R>{requests::incr(key)};
}
template <class R = std::int64_t>
Typed<R> incrby(std::string_view key, std::int64_t increment) {
  return Typed<R>{requests::incrby(key, increment)};
}
template <class R = double>
Typed<R> incrbyfloat(std::string_view key, double increment) {
  return Typed<R>{requests::incrbyfloat(key, increment)};
}
template <class R = std::string>
Typed<R> lcs(std::string_view key1, std::string_view key2, const LcsOptions& options = {}) {
  return Typed<R>{requests::lcs(key1, key2, options)};
}
template <class R = std::int64_t>
Typed<R> lcs(std::string_view key1, std::string_view key2, LenWord,
             const LcsOptions& options = {}) {
  return Typed<R>{requests::lcs(key1, key2, LenWord{}, options)};
}
template <class R = std::vector<std::optional<std::string>>>
Typed<R> mget(const Arguments& keys) {
  return Typed<R>{requests::mget(keys)};
}
template <class R = void>
Typed<R> mset(const Rows<2>& rows) {
  return Typed<R>{requests::mset(rows)};
}
template <class R = bool>
Typed<R> msetnx(const Rows<2>& rows) {
  return Typed<R>{requests::msetnx(rows)};
}
template <class R = void>
Typed<R> psetex(std::string_view key, std::chrono::milliseconds milliseconds,
                const Argument& value) {
  return Typed<R>{requests::psetex(key, milliseconds, value)};
}
template <class R = bool>
Typed<R> set(std::string_view key, const Argument& value, const SetOptions& options = {}) {
  return Typed<R>{requests::set(key, value, options)};
}
template <class R = std::optional<std::string>>
Typed<R> set(std::string_view key, const Argument& value, GetWord, const SetOptions& options = {}) {
  return Typed<R>{requests::set(key, value, GetWord{}, options)};
}
template <class R = void>
Typed<R> setex(std::string_view key, std::chrono::seconds seconds, const Argument& value) {
  return Typed<R>{requests::setex(key, seconds, value)};
}
template <class R = bool>
Typed<R> setnx(std::string_view key, const Argument& value) {
  return Typed<R>{requests::setnx(key, value)};
}
template <class R = std::int64_t>
Typed<R> setrange(std::string_view key, std::int64_t offset, const Argument& value) {
  return Typed<R>{requests::setrange(key, offset, value)};
}
template <class R = std::int64_t>
Typed<R> strlen(std::string_view key) {
  return Typed<R>{requests::strlen(key)};
}
template <class R = std::string>
Typed<R> substr(std::string_view key, std::int64_t start, std::int64_t end) {
  return Typed<R>{requests::substr(key, start, end)};
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
