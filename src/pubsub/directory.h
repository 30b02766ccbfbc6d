// Directory: the number of subscribers per worker and name, for the whole node. A publisher finds
// here how many will receive a message and which workers must be notified. Only a worker knows its
// own subscribers (local_subscribers.h). So a message crosses threads once per worker, not once per
// subscriber.
//
// Any thread. Channels are in stripes, each with a lock that is held for one lookup. Patterns have
// one more lock, taken only if there are any.
#pragma once

#include <array>
#include <atomic>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/limits.h"
#include "pubsub/message.h"

namespace slotcar::pubsub {

using WorkerMask = std::bitset<limits::kWorkersMax>;

class Directory {
 public:
  void add(Kind kind, std::string_view name, WorkerId worker);
  void remove(Kind kind, std::string_view name, WorkerId worker);

  struct Receivers {
    std::size_t count = 0;  // subscriptions that match; a client may have several
    WorkerMask workers;
  };
  // The receivers of a message: of channels and matching patterns, or of shard channels only.
  Receivers receivers(Kind kind, std::string_view channel) const;

  // PUBSUB CHANNELS, NUMSUB, NUMPAT and their shard twins.
  std::vector<std::string> names(Kind kind, std::string_view pattern) const;
  std::size_t subscribers(Kind kind, std::string_view name) const;
  std::size_t count(Kind kind) const;  // different names

 private:
  struct Count {
    std::size_t total = 0;
    std::map<WorkerId, std::size_t> by_worker;
  };
  struct Names {
    mutable std::mutex mutex;
    std::map<std::string, Count, std::less<>> map;
  };
  static constexpr std::size_t kStripes = 64;
  using Stripes = std::array<Names, kStripes>;

  static void note(const Count& found, Receivers& into);
  static std::size_t stripe_of(std::string_view name);
  Names& place_of(Kind kind, std::string_view name);
  const Names& place_of(Kind kind, std::string_view name) const {
    return const_cast<Directory*>(this)->place_of(kind, name);
  }

  Stripes channels_;
  Stripes shard_channels_;
  Names patterns_;
  std::atomic<std::size_t> counts_[3] = {};
};

}  // namespace slotcar::pubsub
