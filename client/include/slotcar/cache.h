// Cache: answers of the server kept in this process, and removed when the server says that their
// key has changed (CLIENT TRACKING). It has a client of its own, because every lane of it is
// tracked:
//
//   Cache cache({.uri = "redis://127.0.0.1:6379"}, {.entries_max = 100'000});
//   Result<std::optional<std::string>> name = cache.get("user:1");      // the second time: no call
//   auto user = co_await cache.call(commands::hgetall<User>("user:1"));
//
// Kept are the replies of commands that read one key and give the same answer until it changes
// (GET, HGETALL, ZRANGE...; `cacheable`). Everything else goes to the server as always, writes too.
//
// What is promised:
// * After the invalidation of a key has been received, no earlier value of it is returned. A key is
//   always read on the same lane, so its replies and its invalidations come in order.
// * Between a change and its invalidation the old value may be returned: a network's round trip if
//   all is well. If the connection is lost without notice (a cable, a frozen server), at most for
//   `age_max`: no entry is used longer than that after its question was asked. A write by this
//   program is no exception: read your own writes from a Client, not from a Cache.
// * When a lane loses its connection, everything is forgotten, since invalidations may have been
// lost.
// * Memory is bounded by `entries_max` and `bytes_max`; the entries that were not used for longest
// go.
// * A key that expires is invalidated when the server notices it, which may be somewhat later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "slotcar/client.h"
#include "slotcar/commands/all.h"

namespace slotcar::client {

struct CacheOptions {
  std::size_t entries_max = limits::kCacheEntriesMax;
  std::size_t bytes_max = limits::kCacheBytesMax;
  Millis age_max{60'000};
};

struct CacheMetrics {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t invalidations = 0;  // keys that the server named
  std::uint64_t evictions = 0;      // for lack of room
  std::uint64_t flushes = 0;        // all at once: a lost lane, FLUSHALL
  std::size_t entries = 0;
  std::size_t bytes = 0;  // an estimate of the memory
};

namespace detail {
class CacheState;
}

class Cache : public commands::AllCommands<Cache> {
 public:
  // The options are those of a client in laned mode with RESP3; its lane strategy is key-affinity.
  explicit Cache(Options options, CacheOptions rules = {});
  ~Cache();
  Cache(Cache&&) noexcept;
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  Status status() const;

  Pending call(Request request, CallOptions options = {});
  Result<Reply> run(Request request, CallOptions options = {}) {
    return call(std::move(request), std::move(options)).get();
  }
  template <class T>
  TypedPending<T> call(Typed<T> request, CallOptions options = {}) {
    return TypedPending<T>(call(std::move(request).request(), std::move(options)));
  }
  template <class T>
  Result<T> run(Typed<T> request, CallOptions options = {}) {
    return call(std::move(request), std::move(options)).get();
  }
  template <class T>
  Result<T> send(Typed<T> request) {
    return run(std::move(request));
  }

  // Past the cache. Its calls are tracked all the same, and cost the server memory.
  Client& client();
  void clear();
  CacheMetrics metrics() const;
  // Whether replies of this command are kept.
  static bool cacheable(std::string_view command);

 private:
  std::unique_ptr<detail::CacheState> state_;
};

}  // namespace slotcar::client
