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
template <class R = std::int64_t>
Typed<R> sadd(std::string_view key, const Arguments& members) {
  Request request("SADD");
  request.key(key);
  members.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> scard(std::string_view key) {
  Request request("SCARD");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::set<std::string>>
Typed<R> sdiff(const Arguments& keys) {
  Request request("SDIFF");
  keys.add_to(request, As::keys);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> sdiffstore(std::string_view destination, const Arguments& keys) {
  Request request("SDIFFSTORE");
  request.key(destination);
  keys.add_to(request, As::keys);
  return Typed<R>(std::move(request));
}
template <class R = std::set<std::string>>
Typed<R> sinter(const Arguments& keys) {
  Request request("SINTER");
  keys.add_to(request, As::keys);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> sintercard(const Arguments& keys, const SintercardOptions& options = {}) {
  Request request("SINTERCARD");
  request.arg(keys.size());
  keys.add_to(request, As::keys);
  if (options.limit) request.arg("LIMIT").arg((*options.limit));
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> sinterstore(std::string_view destination, const Arguments& keys) {
  Request request("SINTERSTORE");
  request.key(destination);
  keys.add_to(request, As::keys);
  return Typed<R>(std::move(request));
}
template <class R = bool>
Typed<R> sismember(std::string_view key, const Argument& member) {
  Request request("SISMEMBER");
  request.key(key);
  request.arg(member.text());
  return Typed<R>(std::move(request));
}
template <class R = std::set<std::string>>
Typed<R> smembers(std::string_view key) {
  Request request("SMEMBERS");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<bool>>
Typed<R> smismember(std::string_view key, const Arguments& members) {
  Request request("SMISMEMBER");
  request.key(key);
  members.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = bool>
Typed<R> smove(std::string_view source, std::string_view destination, const Argument& member) {
  Request request("SMOVE");
  request.key(source);
  request.key(destination);
  request.arg(member.text());
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::string>>
Typed<R> spop(std::string_view key) {
  Request request("SPOP");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::set<std::string>>
Typed<R> spop(std::string_view key, std::int64_t count) {
  Request request("SPOP");
  request.key(key);
  request.arg(count);
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::string>>
Typed<R> srandmember(std::string_view key) {
  Request request("SRANDMEMBER");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> srandmember(std::string_view key, std::int64_t count) {
  Request request("SRANDMEMBER");
  request.key(key);
  request.arg(count);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> srem(std::string_view key, const Arguments& members) {
  Request request("SREM");
  request.key(key);
  members.add_to(request);
  return Typed<R>(std::move(request));
}
template <class R = std::pair<std::string, std::vector<std::string>>>
Typed<R> sscan(std::string_view key, const Argument& cursor, const SscanOptions& options = {}) {
  Request request("SSCAN");
  request.key(key);
  request.arg(cursor.text());
  if (options.match) request.arg("MATCH").arg((*options.match));
  if (options.count) request.arg("COUNT").arg((*options.count));
  return Typed<R>(std::move(request));
}
template <class R = std::set<std::string>>
Typed<R> sunion(const Arguments& keys) {
  Request request("SUNION");
  keys.add_to(request, As::keys);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> sunionstore(std::string_view destination, const Arguments& keys) {
  Request request("SUNIONSTORE");
  request.key(destination);
  keys.add_to(request, As::keys);
  return Typed<R>(std::move(request));
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
