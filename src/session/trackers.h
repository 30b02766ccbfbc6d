// Trackers: every connection of the node that tracks keys (CLIENT TRACKING). All of them are
// notified when everything goes at once (FLUSHALL). Those that track by prefix are found here; what
// the others have read is in the shards (keyspace/watch/key_watchers.h).
//
// Any thread. Without trackers by prefix a change costs one look at a number (`totals`).
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "keyspace/watch/tracker.h"

namespace slotcar::session {

class Trackers {
 public:
  using Tracker = std::shared_ptr<keyspace::Tracker>;

  keyspace::TrackingTotals totals;

  void add(const Tracker& tracker);     // once is enough
  void remove(const Tracker& tracker);  // with its prefixes
  void add_prefix(std::string_view prefix, const Tracker& tracker);

  std::vector<Tracker> all() const;
  std::size_t count() const;
  std::size_t prefixes() const;  // different ones

  // Calls `notify(tracker, keys)` once for each tracker and prefix of its that keys have.
  template <class Notify>
  void match(const std::vector<std::string>& changed, Notify&& notify) const {
    std::lock_guard lock(mutex_);
    for (const auto& [prefix, trackers] : by_prefix_) {
      std::vector<std::string> matching;
      for (const std::string& key : changed) {
        if (std::string_view(key).starts_with(prefix)) matching.push_back(key);
      }
      if (matching.empty()) continue;
      for (const auto& [client, tracker] : trackers) notify(tracker, matching);
    }
  }

 private:
  using ByClient = std::map<ClientId, Tracker>;
  void remove_prefixes(const Tracker& tracker);

  mutable std::mutex mutex_;
  ByClient all_;
  std::map<std::string, ByClient, std::less<>> by_prefix_;
  std::map<ClientId, std::size_t> prefixes_of_;
};

}  // namespace slotcar::session
