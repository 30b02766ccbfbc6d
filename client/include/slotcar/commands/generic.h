// Typed calls of the group generic. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
struct CopyOptions {
  std::optional<std::int64_t> db = {};
  bool replace = false;
};
struct ExpireOptions {
  Given<OnlyIf> only_if = {};
};
struct ExpireatOptions {
  Given<OnlyIf> only_if = {};
};
struct MigrateUsernamePassword {
  std::string username = {};
  std::string password = {};
};
struct MigrateOptions {
  bool copy = false;
  bool replace = false;
  std::optional<std::string> auth = {};
  Given<MigrateUsernamePassword> auth2 = {};
  std::vector<std::string> keys = {};
};
struct PexpireOptions {
  Given<OnlyIf> only_if = {};
};
struct PexpireatOptions {
  Given<OnlyIf> only_if = {};
};
struct RestoreOptions {
  bool replace = false;
  bool absttl = false;
  std::optional<std::chrono::seconds> idletime = {};
  std::optional<std::int64_t> freq = {};
};
struct ScanOptions {
  std::optional<std::string> match = {};
  std::optional<std::int64_t> count = {};
  std::optional<std::string> type = {};
};
enum class SortOrder { asc, desc };
struct SortOffsetCount {
  std::int64_t offset = {};
  std::int64_t count = {};
};
struct SortOptions {
  std::optional<std::string> by = {};
  Given<SortOffsetCount> limit = {};
  std::vector<std::string> get = {};
  Given<SortOrder> order = {};
  bool alpha = false;
};
enum class SortRoOrder { asc, desc };
struct SortRoOffsetCount {
  std::int64_t offset = {};
  std::int64_t count = {};
};
struct SortRoOptions {
  std::optional<std::string> by = {};
  Given<SortRoOffsetCount> limit = {};
  std::vector<std::string> get = {};
  Given<SortRoOrder> order = {};
  bool alpha = false;
};
namespace requests {
Request copy(std::string_view source, std::string_view destination, const CopyOptions& options);
Request del(const Arguments& keys);
Request dump(std::string_view key);
Request exists(const Arguments& keys);
Request expire(std::string_view key, std::chrono::seconds seconds, const ExpireOptions& options);
Request expireat(std::string_view key, std::int64_t unix_time_seconds,
                 const ExpireatOptions& options);
Request expiretime(std::string_view key);
Request keys(const Argument& pattern);
Request migrate(const Argument& host, std::int64_t port, std::string_view key,
                std::int64_t destination_db, std::chrono::milliseconds timeout,
                const MigrateOptions& options);
Request move(std::string_view key, std::int64_t db);
Request object_encoding(std::string_view key);
Request object_freq(std::string_view key);
Request object_help();
Request object_idletime(std::string_view key);
Request object_refcount(std::string_view key);
Request persist(std::string_view key);
Request pexpire(std::string_view key, std::chrono::milliseconds milliseconds,
                const PexpireOptions& options);
Request pexpireat(std::string_view key, std::int64_t unix_time_milliseconds,
                  const PexpireatOptions& options);
Request pexpiretime(std::string_view key);
Request pttl(std::string_view key);
Request randomkey();
Request rename(std::string_view key, std::string_view newkey);
Request renamenx(std::string_view key, std::string_view newkey);
Request restore(std::string_view key, std::int64_t ttl, const Argument& serialized_value,
                const RestoreOptions& options);
Request scan(const Argument& cursor, const ScanOptions& options);
Request sort(std::string_view key, const SortOptions& options);
Request sort(std::string_view key, std::string_view destination, const SortOptions& options);
Request sort_ro(std::string_view key, const SortRoOptions& options);
Request touch(const Arguments& keys);
Request ttl(std::string_view key);
Request type(std::string_view key);
Request unlink(const Arguments& keys);
Request wait(std::int64_t numreplicas, std::chrono::milliseconds timeout);
Request waitaof(std::int64_t numlocal, std::int64_t numreplicas, std::chrono::milliseconds timeout);
}  // namespace requests

template <class R = bool>
Typed<R> copy(std::string_view source, std::string_view destination,
              const CopyOptions& options = {}) {
  return Typed<R>{requests::copy(source, destination, options)};
}
template <class R = std::int64_t>
Typed<R> del(const Arguments& keys) {
  return Typed<R>{requests::del(keys)};
}
template <class R = std::optional<std::string>>
Typed<R> dump(std::string_view key) {
  return Typed<R>{requests::dump(key)};
}
template <class R = std::int64_t>
Typed<R> exists(const Arguments& keys) {
  return Typed<R>{requests::exists(keys)};
}
template <class R = bool>
Typed<R> expire(std::string_view key, std::chrono::seconds seconds,
                const ExpireOptions& options = {}) {
  return Typed<R>{requests::expire(key, seconds, options)};
}
template <class R = bool>
Typed<R> expireat(std::string_view key, std::int64_t unix_time_seconds,
                  const ExpireatOptions& options = {}) {
  return Typed<R>{requests::expireat(key, unix_time_seconds, options)};
}
template <class R = std::int64_t>
Typed<R> expiretime(std::string_view key) {
  return Typed<R>{requests::expiretime(key)};
}
template <class R = std::vector<std::string>>
Typed<R> keys(const Argument& pattern) {
  return Typed<R>{requests::keys(pattern)};
}
template <class R = std::string>
Typed<R> migrate(const Argument& host, std::int64_t port, std::string_view key,
                 std::int64_t destination_db, std::chrono::milliseconds timeout,
                 const MigrateOptions& options = {}) {
  return Typed<R>{requests::migrate(host, port, key, destination_db, timeout, options)};
}
template <class R = bool>
Typed<R> move(std::string_view key, std::int64_t db) {
  return Typed<R>{requests::move(key, db)};
}
template <class R = std::optional<std::string>>
Typed<R> object_encoding(std::string_view key) {
  return Typed<R>{requests::object_encoding(key)};
}
template <class R = std::optional<std::int64_t>>
Typed<R> object_freq(std::string_view key) {
  return Typed<R>{requests::object_freq(key)};
}
template <class R = std::vector<std::string>>
Typed<R> object_help() {
  return Typed<R>{requests::object_help()};
}
template <class R = std::optional<std::int64_t>>
Typed<R> object_idletime(std::string_view key) {
  return Typed<R>{requests::object_idletime(key)};
}
template <class R = std::optional<std::int64_t>>
Typed<R> object_refcount(std::string_view key) {
  return Typed<R>{requests::object_refcount(key)};
}
template <class R = bool>
Typed<R> persist(std::string_view key) {
  return Typed<R>{requests::persist(key)};
}
template <class R = bool>
Typed<R> pexpire(std::string_view key, std::chrono::milliseconds milliseconds,
                 const PexpireOptions& options = {}) {
  return Typed<R>{requests::pexpire(key, milliseconds, options)};
}
template <class R = bool>
Typed<R> pexpireat(std::string_view key, std::int64_t unix_time_milliseconds,
                   const PexpireatOptions& options = {}) {
  return Typed<R>{requests::pexpireat(key, unix_time_milliseconds, options)};
}
template <class R = std::int64_t>
Typed<R> pexpiretime(std::string_view key) {
  return Typed<R>{requests::pexpiretime(key)};
}
template <class R = std::int64_t>
Typed<R> pttl(std::string_view key) {
  return Typed<R>{requests::pttl(key)};
}
template <class R = std::optional<std::string>>
Typed<R> randomkey() {
  return Typed<R>{requests::randomkey()};
}
template <class R = void>
Typed<R> rename(std::string_view key, std::string_view newkey) {
  return Typed<R>{requests::rename(key, newkey)};
}
template <class R = bool>
Typed<R> renamenx(std::string_view key, std::string_view newkey) {
  return Typed<R>{requests::renamenx(key, newkey)};
}
template <class R = void>
Typed<R> restore(std::string_view key, std::int64_t ttl, const Argument& serialized_value,
                 const RestoreOptions& options = {}) {
  return Typed<R>{requests::restore(key, ttl, serialized_value, options)};
}
template <class R = std::pair<std::string, std::vector<std::string>>>
Typed<R> scan(const Argument& cursor, const ScanOptions& options = {}) {
  return Typed<R>{requests::scan(cursor, options)};
}
template <class R = std::vector<std::optional<std::string>>>
Typed<R> sort(std::string_view key, const SortOptions& options = {}) {
  return Typed<R>{requests::sort(key, options)};
}
template <class R = std::int64_t>
Typed<R> sort(std::string_view key, std::string_view destination, const SortOptions& options = {}) {
  return Typed<R>{requests::sort(key, destination, options)};
}
template <class R = std::vector<std::string>>
Typed<R> sort_ro(std::string_view key, const SortRoOptions& options = {}) {
  return Typed<R>{requests::sort_ro(key, options)};
}
template <class R = std::int64_t>
Typed<R> touch(const Arguments& keys) {
  return Typed<R>{requests::touch(keys)};
}
template <class R = std::int64_t>
Typed<R> ttl(std::string_view key) {
  return Typed<R>{requests::ttl(key)};
}
template <class R = std::string>
Typed<R> type(std::string_view key) {
  return Typed<R>{requests::type(key)};
}
template <class R = std::int64_t>
Typed<R> unlink(const Arguments& keys) {
  return Typed<R>{requests::unlink(keys)};
}
template <class R = std::int64_t>
Typed<R> wait(std::int64_t numreplicas, std::chrono::milliseconds timeout) {
  return Typed<R>{requests::wait(numreplicas, timeout)};
}
template <class R = std::pair<std::int64_t, std::int64_t>>
Typed<R> waitaof(std::int64_t numlocal, std::int64_t numreplicas,
                 std::chrono::milliseconds timeout) {
  return Typed<R>{requests::waitaof(numlocal, numreplicas, timeout)};
}
template <class Self>
class GenericCommands {
 public:
  template <class R = bool>
  auto copy(std::string_view source, std::string_view destination,
            const CopyOptions& options = {}) {
    return self().send(commands::copy<R>(source, destination, options));
  }
  template <class R = std::int64_t>
  auto del(const Arguments& keys) {
    return self().send(commands::del<R>(keys));
  }
  template <class R = std::optional<std::string>>
  auto dump(std::string_view key) {
    return self().send(commands::dump<R>(key));
  }
  template <class R = std::int64_t>
  auto exists(const Arguments& keys) {
    return self().send(commands::exists<R>(keys));
  }
  template <class R = bool>
  auto expire(std::string_view key, std::chrono::seconds seconds,
              const ExpireOptions& options = {}) {
    return self().send(commands::expire<R>(key, seconds, options));
  }
  template <class R = bool>
  auto expireat(std::string_view key, std::int64_t unix_time_seconds,
                const ExpireatOptions& options = {}) {
    return self().send(commands::expireat<R>(key, unix_time_seconds, options));
  }
  template <class R = std::int64_t>
  auto expiretime(std::string_view key) {
    return self().send(commands::expiretime<R>(key));
  }
  template <class R = std::vector<std::string>>
  auto keys(const Argument& pattern) {
    return self().send(commands::keys<R>(pattern));
  }
  template <class R = std::string>
  auto migrate(const Argument& host, std::int64_t port, std::string_view key,
               std::int64_t destination_db, std::chrono::milliseconds timeout,
               const MigrateOptions& options = {}) {
    return self().send(commands::migrate<R>(host, port, key, destination_db, timeout, options));
  }
  template <class R = bool>
  auto move(std::string_view key, std::int64_t db) {
    return self().send(commands::move<R>(key, db));
  }
  template <class R = std::optional<std::string>>
  auto object_encoding(std::string_view key) {
    return self().send(commands::object_encoding<R>(key));
  }
  template <class R = std::optional<std::int64_t>>
  auto object_freq(std::string_view key) {
    return self().send(commands::object_freq<R>(key));
  }
  template <class R = std::vector<std::string>>
  auto object_help() {
    return self().send(commands::object_help<R>());
  }
  template <class R = std::optional<std::int64_t>>
  auto object_idletime(std::string_view key) {
    return self().send(commands::object_idletime<R>(key));
  }
  template <class R = std::optional<std::int64_t>>
  auto object_refcount(std::string_view key) {
    return self().send(commands::object_refcount<R>(key));
  }
  template <class R = bool>
  auto persist(std::string_view key) {
    return self().send(commands::persist<R>(key));
  }
  template <class R = bool>
  auto pexpire(std::string_view key, std::chrono::milliseconds milliseconds,
               const PexpireOptions& options = {}) {
    return self().send(commands::pexpire<R>(key, milliseconds, options));
  }
  template <class R = bool>
  auto pexpireat(std::string_view key, std::int64_t unix_time_milliseconds,
                 const PexpireatOptions& options = {}) {
    return self().send(commands::pexpireat<R>(key, unix_time_milliseconds, options));
  }
  template <class R = std::int64_t>
  auto pexpiretime(std::string_view key) {
    return self().send(commands::pexpiretime<R>(key));
  }
  template <class R = std::int64_t>
  auto pttl(std::string_view key) {
    return self().send(commands::pttl<R>(key));
  }
  template <class R = std::optional<std::string>>
  auto randomkey() {
    return self().send(commands::randomkey<R>());
  }
  template <class R = void>
  auto rename(std::string_view key, std::string_view newkey) {
    return self().send(commands::rename<R>(key, newkey));
  }
  template <class R = bool>
  auto renamenx(std::string_view key, std::string_view newkey) {
    return self().send(commands::renamenx<R>(key, newkey));
  }
  template <class R = void>
  auto restore(std::string_view key, std::int64_t ttl, const Argument& serialized_value,
               const RestoreOptions& options = {}) {
    return self().send(commands::restore<R>(key, ttl, serialized_value, options));
  }
  template <class R = std::pair<std::string, std::vector<std::string>>>
  auto scan(const Argument& cursor, const ScanOptions& options = {}) {
    return self().send(commands::scan<R>(cursor, options));
  }
  template <class R = std::vector<std::optional<std::string>>>
  auto sort(std::string_view key, const SortOptions& options = {}) {
    return self().send(commands::sort<R>(key, options));
  }
  template <class R = std::int64_t>
  auto sort(std::string_view key, std::string_view destination, const SortOptions& options = {}) {
    return self().send(commands::sort<R>(key, destination, options));
  }
  template <class R = std::vector<std::string>>
  auto sort_ro(std::string_view key, const SortRoOptions& options = {}) {
    return self().send(commands::sort_ro<R>(key, options));
  }
  template <class R = std::int64_t>
  auto touch(const Arguments& keys) {
    return self().send(commands::touch<R>(keys));
  }
  template <class R = std::int64_t>
  auto ttl(std::string_view key) {
    return self().send(commands::ttl<R>(key));
  }
  template <class R = std::string>
  auto type(std::string_view key) {
    return self().send(commands::type<R>(key));
  }
  template <class R = std::int64_t>
  auto unlink(const Arguments& keys) {
    return self().send(commands::unlink<R>(keys));
  }
  template <class R = std::int64_t>
  auto wait(std::int64_t numreplicas, std::chrono::milliseconds timeout) {
    return self().send(commands::wait<R>(numreplicas, timeout));
  }
  template <class R = std::pair<std::int64_t, std::int64_t>>
  auto waitaof(std::int64_t numlocal, std::int64_t numreplicas, std::chrono::milliseconds timeout) {
    return self().send(commands::waitaof<R>(numlocal, numreplicas, timeout));
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};
}  // namespace slotcar::client::commands
