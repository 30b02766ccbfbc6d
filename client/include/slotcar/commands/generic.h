// Typed calls of the group generic. Written by client/generator/generate.py; do not edit.
#pragma once

#include "slotcar/commands/typed.h"

namespace slotcar::client::commands {
struct CopyOptions {
  std::optional<std::int64_t> db = {};
  bool replace = false;
};
struct ExpireOptions {
  std::optional<OnlyIf> only_if = {};
};
struct ExpireatOptions {
  std::optional<OnlyIf> only_if = {};
};
struct PexpireOptions {
  std::optional<OnlyIf> only_if = {};
};
struct PexpireatOptions {
  std::optional<OnlyIf> only_if = {};
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
constexpr std::string_view text_of(SortOrder word) {
  constexpr std::string_view kTexts[] = {"ASC", "DESC"};
  return kTexts[static_cast<int>(word)];
}
struct SortOffsetCount {
  std::int64_t offset = {};
  std::int64_t count = {};
};
struct SortOptions {
  std::optional<std::string> by = {};
  std::optional<SortOffsetCount> limit = {};
  std::vector<std::string> get = {};
  std::optional<SortOrder> order = {};
  bool alpha = false;
};
enum class SortRoOrder { asc, desc };
constexpr std::string_view text_of(SortRoOrder word) {
  constexpr std::string_view kTexts[] = {"ASC", "DESC"};
  return kTexts[static_cast<int>(word)];
}
struct SortRoOffsetCount {
  std::int64_t offset = {};
  std::int64_t count = {};
};
struct SortRoOptions {
  std::optional<std::string> by = {};
  std::optional<SortRoOffsetCount> limit = {};
  std::vector<std::string> get = {};
  std::optional<SortRoOrder> order = {};
  bool alpha = false;
};
template <class R = bool>
Typed<R> copy(std::string_view source, std::string_view destination,
              const CopyOptions& options = {}) {
  Request request("COPY");
  request.key(source);
  request.key(destination);
  if (options.db) request.arg("DB").arg((*options.db));
  if (options.replace) request.arg("REPLACE");
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> del(const Arguments& keys) {
  Request request("DEL");
  keys.add_to(request, As::keys);
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::string>>
Typed<R> dump(std::string_view key) {
  Request request("DUMP");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> exists(const Arguments& keys) {
  Request request("EXISTS");
  keys.add_to(request, As::keys);
  return Typed<R>(std::move(request));
}
template <class R = bool>
Typed<R> expire(std::string_view key, std::chrono::seconds seconds,
                const ExpireOptions& options = {}) {
  Request request("EXPIRE");
  request.key(key);
  request.arg(seconds.count());
  if (options.only_if) request.arg(text_of(*options.only_if));
  return Typed<R>(std::move(request));
}
template <class R = bool>
Typed<R> expireat(std::string_view key, std::int64_t unix_time_seconds,
                  const ExpireatOptions& options = {}) {
  Request request("EXPIREAT");
  request.key(key);
  request.arg(unix_time_seconds);
  if (options.only_if) request.arg(text_of(*options.only_if));
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> expiretime(std::string_view key) {
  Request request("EXPIRETIME");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> keys(const Argument& pattern) {
  Request request("KEYS");
  request.arg(pattern.text());
  return Typed<R>(std::move(request));
}
template <class R = bool>
Typed<R> move(std::string_view key, std::int64_t db) {
  Request request("MOVE");
  request.key(key);
  request.arg(db);
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::string>>
Typed<R> object_encoding(std::string_view key) {
  Request request("OBJECT");
  request.arg("ENCODING");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::int64_t>>
Typed<R> object_freq(std::string_view key) {
  Request request("OBJECT");
  request.arg("FREQ");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> object_help() {
  Request request("OBJECT");
  request.arg("HELP");
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::int64_t>>
Typed<R> object_idletime(std::string_view key) {
  Request request("OBJECT");
  request.arg("IDLETIME");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::int64_t>>
Typed<R> object_refcount(std::string_view key) {
  Request request("OBJECT");
  request.arg("REFCOUNT");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = bool>
Typed<R> persist(std::string_view key) {
  Request request("PERSIST");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = bool>
Typed<R> pexpire(std::string_view key, std::chrono::milliseconds milliseconds,
                 const PexpireOptions& options = {}) {
  Request request("PEXPIRE");
  request.key(key);
  request.arg(milliseconds.count());
  if (options.only_if) request.arg(text_of(*options.only_if));
  return Typed<R>(std::move(request));
}
template <class R = bool>
Typed<R> pexpireat(std::string_view key, std::int64_t unix_time_milliseconds,
                   const PexpireatOptions& options = {}) {
  Request request("PEXPIREAT");
  request.key(key);
  request.arg(unix_time_milliseconds);
  if (options.only_if) request.arg(text_of(*options.only_if));
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> pexpiretime(std::string_view key) {
  Request request("PEXPIRETIME");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> pttl(std::string_view key) {
  Request request("PTTL");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::optional<std::string>>
Typed<R> randomkey() {
  Request request("RANDOMKEY");
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> rename(std::string_view key, std::string_view newkey) {
  Request request("RENAME");
  request.key(key);
  request.key(newkey);
  return Typed<R>(std::move(request));
}
template <class R = bool>
Typed<R> renamenx(std::string_view key, std::string_view newkey) {
  Request request("RENAMENX");
  request.key(key);
  request.key(newkey);
  return Typed<R>(std::move(request));
}
template <class R = void>
Typed<R> restore(std::string_view key, std::int64_t ttl, const Argument& serialized_value,
                 const RestoreOptions& options = {}) {
  Request request("RESTORE");
  request.key(key);
  request.arg(ttl);
  request.arg(serialized_value.text());
  if (options.replace) request.arg("REPLACE");
  if (options.absttl) request.arg("ABSTTL");
  if (options.idletime) request.arg("IDLETIME").arg((*options.idletime).count());
  if (options.freq) request.arg("FREQ").arg((*options.freq));
  return Typed<R>(std::move(request));
}
template <class R = std::pair<std::string, std::vector<std::string>>>
Typed<R> scan(const Argument& cursor, const ScanOptions& options = {}) {
  Request request("SCAN");
  request.arg(cursor.text());
  if (options.match) request.arg("MATCH").arg((*options.match));
  if (options.count) request.arg("COUNT").arg((*options.count));
  if (options.type) request.arg("TYPE").arg((*options.type));
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::optional<std::string>>>
Typed<R> sort(std::string_view key, const SortOptions& options = {}) {
  Request request("SORT");
  request.key(key);
  if (options.by) request.arg("BY").arg((*options.by));
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  for (const auto& one : options.get) request.arg("GET").arg(one);
  if (options.order) request.arg(text_of(*options.order));
  if (options.alpha) request.arg("ALPHA");
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> sort(std::string_view key, std::string_view destination, const SortOptions& options = {}) {
  Request request("SORT");
  request.key(key);
  if (options.by) request.arg("BY").arg((*options.by));
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  for (const auto& one : options.get) request.arg("GET").arg(one);
  if (options.order) request.arg(text_of(*options.order));
  if (options.alpha) request.arg("ALPHA");
  request.arg("STORE");
  request.key(destination);
  return Typed<R>(std::move(request));
}
template <class R = std::vector<std::string>>
Typed<R> sort_ro(std::string_view key, const SortRoOptions& options = {}) {
  Request request("SORT_RO");
  request.key(key);
  if (options.by) request.arg("BY").arg((*options.by));
  if (options.limit) {
    request.arg("LIMIT");
    const auto& limit = *options.limit;
    request.arg(limit.offset);
    request.arg(limit.count);
  }
  for (const auto& one : options.get) request.arg("GET").arg(one);
  if (options.order) request.arg(text_of(*options.order));
  if (options.alpha) request.arg("ALPHA");
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> touch(const Arguments& keys) {
  Request request("TOUCH");
  keys.add_to(request, As::keys);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> ttl(std::string_view key) {
  Request request("TTL");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::string>
Typed<R> type(std::string_view key) {
  Request request("TYPE");
  request.key(key);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> unlink(const Arguments& keys) {
  Request request("UNLINK");
  keys.add_to(request, As::keys);
  return Typed<R>(std::move(request));
}
template <class R = std::int64_t>
Typed<R> wait(std::int64_t numreplicas, std::chrono::milliseconds timeout) {
  Request request("WAIT");
  request.arg(numreplicas);
  request.arg(timeout.count());
  return Typed<R>(std::move(request));
}
template <class R = std::pair<std::int64_t, std::int64_t>>
Typed<R> waitaof(std::int64_t numlocal, std::int64_t numreplicas,
                 std::chrono::milliseconds timeout) {
  Request request("WAITAOF");
  request.arg(numlocal);
  request.arg(numreplicas);
  request.arg(timeout.count());
  return Typed<R>(std::move(request));
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
