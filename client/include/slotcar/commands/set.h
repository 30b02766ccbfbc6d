// Typed calls of the group set. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
struct SintercardOptions {
  std::optional<std::int64_t> limit = {};
};
struct SscanOptions {
  std::optional<std::string> match = {};
  std::optional<std::int64_t> count = {};
};
namespace requests {
Request sadd(std::string_view key, const Arguments& members);
Request scard(std::string_view key);
Request sdiff(const Arguments& keys);
Request sdiffstore(std::string_view destination, const Arguments& keys);
Request sinter(const Arguments& keys);
Request sintercard(const Arguments& keys, const SintercardOptions& options);
Request sinterstore(std::string_view destination, const Arguments& keys);
Request sismember(std::string_view key, const Argument& member);
Request smembers(std::string_view key);
Request smismember(std::string_view key, const Arguments& members);
Request smove(std::string_view source, std::string_view destination, const Argument& member);
Request spop(std::string_view key);
Request spop(std::string_view key, std::int64_t count);
Request srandmember(std::string_view key);
Request srandmember(std::string_view key, std::int64_t count);
Request srem(std::string_view key, const Arguments& members);
Request sscan(std::string_view key, const Argument& cursor, const SscanOptions& options);
Request sunion(const Arguments& keys);
Request sunionstore(std::string_view destination, const Arguments& keys);
}  // namespace requests

template <class R = std::int64_t>
Typed<R> sadd(std::string_view key, const Arguments& members) {
  return Typed<R>{requests::sadd(key, members)};
}
template <class R = std::int64_t>
Typed<R> scard(std::string_view key) {
  return Typed<R>{requests::scard(key)};
}
template <class R = std::set<std::string>>
Typed<R> sdiff(const Arguments& keys) {
  return Typed<R>{requests::sdiff(keys)};
}
template <class R = std::int64_t>
Typed<R> sdiffstore(std::string_view destination, const Arguments& keys) {
  return Typed<R>{requests::sdiffstore(destination, keys)};
}
template <class R = std::set<std::string>>
Typed<R> sinter(const Arguments& keys) {
  return Typed<R>{requests::sinter(keys)};
}
template <class R = std::int64_t>
Typed<R> sintercard(const Arguments& keys, const SintercardOptions& options = {}) {
  return Typed<R>{requests::sintercard(keys, options)};
}
template <class R = std::int64_t>
Typed<R> sinterstore(std::string_view destination, const Arguments& keys) {
  return Typed<R>{requests::sinterstore(destination, keys)};
}
template <class R = bool>
Typed<R> sismember(std::string_view key, const Argument& member) {
  return Typed<R>{requests::sismember(key, member)};
}
template <class R = std::set<std::string>>
Typed<R> smembers(std::string_view key) {
  return Typed<R>{requests::smembers(key)};
}
template <class R = std::vector<bool>>
Typed<R> smismember(std::string_view key, const Arguments& members) {
  return Typed<R>{requests::smismember(key, members)};
}
template <class R = bool>
Typed<R> smove(std::string_view source, std::string_view destination, const Argument& member) {
  return Typed<R>{requests::smove(source, destination, member)};
}
template <class R = std::optional<std::string>>
Typed<R> spop(std::string_view key) {
  return Typed<R>{requests::spop(key)};
}
template <class R = std::set<std::string>>
Typed<R> spop(std::string_view key, std::int64_t count) {
  return Typed<R>{requests::spop(key, count)};
}
template <class R = std::optional<std::string>>
Typed<R> srandmember(std::string_view key) {
  return Typed<R>{requests::srandmember(key)};
}
template <class R = std::vector<std::string>>
Typed<R> srandmember(std::string_view key, std::int64_t count) {
  return Typed<R>{requests::srandmember(key, count)};
}
template <class R = std::int64_t>
Typed<R> srem(std::string_view key, const Arguments& members) {
  return Typed<R>{requests::srem(key, members)};
}
template <class R = std::pair<std::string, std::vector<std::string>>>
Typed<R> sscan(std::string_view key, const Argument& cursor, const SscanOptions& options = {}) {
  return Typed<R>{requests::sscan(key, cursor, options)};
}
template <class R = std::set<std::string>>
Typed<R> sunion(const Arguments& keys) {
  return Typed<R>{requests::sunion(keys)};
}
template <class R = std::int64_t>
Typed<R> sunionstore(std::string_view destination, const Arguments& keys) {
  return Typed<R>{requests::sunionstore(destination, keys)};
}
template <class Self>
class SetCommands {
 public:
  template <class R = std::int64_t>
  auto sadd(std::string_view key, const Arguments& members) {
    return self().send(commands::sadd<R>(key, members));
  }
  template <class R = std::int64_t>
  auto scard(std::string_view key) {
    return self().send(commands::scard<R>(key));
  }
  template <class R = std::set<std::string>>
  auto sdiff(const Arguments& keys) {
    return self().send(commands::sdiff<R>(keys));
  }
  template <class R = std::int64_t>
  auto sdiffstore(std::string_view destination, const Arguments& keys) {
    return self().send(commands::sdiffstore<R>(destination, keys));
  }
  template <class R = std::set<std::string>>
  auto sinter(const Arguments& keys) {
    return self().send(commands::sinter<R>(keys));
  }
  template <class R = std::int64_t>
  auto sintercard(const Arguments& keys, const SintercardOptions& options = {}) {
    return self().send(commands::sintercard<R>(keys, options));
  }
  template <class R = std::int64_t>
  auto sinterstore(std::string_view destination, const Arguments& keys) {
    return self().send(commands::sinterstore<R>(destination, keys));
  }
  template <class R = bool>
  auto sismember(std::string_view key, const Argument& member) {
    return self().send(commands::sismember<R>(key, member));
  }
  template <class R = std::set<std::string>>
  auto smembers(std::string_view key) {
    return self().send(commands::smembers<R>(key));
  }
  template <class R = std::vector<bool>>
  auto smismember(std::string_view key, const Arguments& members) {
    return self().send(commands::smismember<R>(key, members));
  }
  template <class R = bool>
  auto smove(std::string_view source, std::string_view destination, const Argument& member) {
    return self().send(commands::smove<R>(source, destination, member));
  }
  template <class R = std::optional<std::string>>
  auto spop(std::string_view key) {
    return self().send(commands::spop<R>(key));
  }
  template <class R = std::set<std::string>>
  auto spop(std::string_view key, std::int64_t count) {
    return self().send(commands::spop<R>(key, count));
  }
  template <class R = std::optional<std::string>>
  auto srandmember(std::string_view key) {
    return self().send(commands::srandmember<R>(key));
  }
  template <class R = std::vector<std::string>>
  auto srandmember(std::string_view key, std::int64_t count) {
    return self().send(commands::srandmember<R>(key, count));
  }
  template <class R = std::int64_t>
  auto srem(std::string_view key, const Arguments& members) {
    return self().send(commands::srem<R>(key, members));
  }
  template <class R = std::pair<std::string, std::vector<std::string>>>
  auto sscan(std::string_view key, const Argument& cursor, const SscanOptions& options = {}) {
    return self().send(commands::sscan<R>(key, cursor, options));
  }
  template <class R = std::set<std::string>>
  auto sunion(const Arguments& keys) {
    return self().send(commands::sunion<R>(keys));
  }
  template <class R = std::int64_t>
  auto sunionstore(std::string_view destination, const Arguments& keys) {
    return self().send(commands::sunionstore<R>(destination, keys));
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};
}  // namespace slotcar::client::commands
