// A cache in this process that the server keeps fresh: every lane turns tracking on, and the server
// notifies the same lane when a key that was read there has changed.
//
// The answer to a read and a later invalidation come on one connection, in order, and both are
// handled on the I/O thread: so an old value is never put into the cache after its invalidation.
#include <cstdio>
#include <future>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

namespace {

class Cache {
 public:
  explicit Cache(const std::string& uri)
      : client_({.uri = uri,
                 .lane_initialiser =
                     [](std::size_t) {
                       return std::vector<Request>{Request("CLIENT").arg("TRACKING").arg("ON")};
                     },
                 .on_push = [this](std::size_t, const Reply& push) { forget(push); },
                 // Invalidations may have been lost with the lane: forget everything.
                 .on_lane_down = [this](std::size_t) { forget_all(); }}) {}

  std::optional<std::string> get(const std::string& key, bool& from_cache) {
    {
      const std::lock_guard lock(mutex_);
      const auto known = values_.find(key);
      from_cache = known != values_.end();
      if (from_cache) return known->second;
    }
    std::promise<std::optional<std::string>> got;
    client_.call(Request("GET").key(key)).then([&](Result<Reply> reply) {
      std::optional<std::string> value;
      if (reply && !reply->is_null()) {
        value = reply->text();
        const std::lock_guard lock(mutex_);
        values_[key] = *value;
      }
      got.set_value(std::move(value));
    });
    return got.get_future().get();
  }
  bool knows(const std::string& key) {
    const std::lock_guard lock(mutex_);
    return values_.contains(key);
  }

 private:
  void forget(const Reply& push) {
    if (push.size() != 2 || push[0].text() != "invalidate") return;
    if (push[1].is_null()) return forget_all();  // FLUSHALL
    const std::lock_guard lock(mutex_);
    for (const Reply& key : push[1].items()) values_.erase(key.text());
  }
  void forget_all() {
    const std::lock_guard lock(mutex_);
    values_.clear();
  }

  std::mutex mutex_;
  std::unordered_map<std::string, std::string> values_;
  Client client_;  // last: it is destroyed before what its callbacks touch
};

}  // namespace

int main(int argc, char** argv) {
  const std::string uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379";
  Client writer({.uri = uri, .lanes = 1});
  Commands redis(writer);
  if (!redis.set("example:price", "10")) return 1;
  Cache cache(uri);
  bool from_cache = false;
  std::printf("%s\n", cache.get("example:price", from_cache)->c_str());
  std::printf("%s, %s\n", cache.get("example:price", from_cache)->c_str(),
              from_cache ? "from the cache" : "from the server");
  if (!redis.set("example:price", "11")) return 1;
  while (cache.knows("example:price")) std::this_thread::sleep_for(Millis(1));
  std::printf("%s, %s\n", cache.get("example:price", from_cache)->c_str(),
              from_cache ? "from the cache" : "from the server");
  (void)redis.del({"example:price"});
  return from_cache ? 1 : 0;
}
