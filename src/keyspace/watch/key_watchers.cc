#include "keyspace/watch/key_watchers.h"

#include <algorithm>

namespace slotcar::keyspace {

// An estimate: a node of the table with its two links, the allocator's overhead, and a name that
// does not fit into the string itself.
std::int64_t KeyWatchers::key_bytes(const TrackedKey& key) {
  constexpr std::size_t kNodeBytes = sizeof(Tracked::value_type) + 4 * sizeof(void*);
  return static_cast<std::int64_t>(kNodeBytes + (key.name.size() > 15 ? key.name.size() + 16 : 0));
}

void KeyWatchers::track(Hold& hold, const Key& key, Tracker& tracker) {
  TrackingTotals& totals = *hold.settings->tracking;
  auto found = tracked_.find(TrackedView{key.name, key.hash, DbIndex{0}});
  if (found == tracked_.end()) {
    TrackedKey tracked{std::string(key.name), key.hash, key.slot, DbIndex{0}};
    found = tracked_.emplace(std::move(tracked), Trackers{}).first;
    totals.keys.fetch_add(1, std::memory_order_relaxed);
    totals.bytes.fetch_add(key_bytes(found->first), std::memory_order_relaxed);
  }
  Trackers& trackers = found->second;
  const auto at = std::lower_bound(
      trackers.begin(), trackers.end(), tracker.client,
      [](const std::shared_ptr<Tracker>& one, ClientId id) { return one->client < id; });
  if (at != trackers.end() && at->get() == &tracker) return;
  trackers.insert(at, tracker.shared_from_this());
  totals.items.fetch_add(1, std::memory_order_relaxed);
  totals.bytes.fetch_add(kItemBytes, std::memory_order_relaxed);
  // Two for each new one: the table shrinks to its bound while it is used. In shards that are not
  // read, the node's own visits remove the excess.
  constexpr std::size_t kTrimmedAtOnce = 2;
  if (hold.settings->tracks_too_many()) [[unlikely]]
    trim_tracked(hold, kTrimmedAtOnce);
}

void KeyWatchers::notify_trackers(Hold& hold, const Key& key) {
  const auto found = tracked_.find(TrackedView{key.name, key.hash, DbIndex{0}});
  if (found == tracked_.end()) return;
  // A NOLOOP client that made the change has the new value and must be notified of the next change,
  // so it stays.
  std::shared_ptr<Tracker> stays;
  for (const auto& tracker : found->second) {
    const bool own = tracker->client == hold.client;
    if (own && tracker->noloop.load(std::memory_order_relaxed)) {
      stays = tracker;
    } else {
      notify(hold, key.name, tracker);
    }
  }
  if (!stays) return drop(hold, found);
  const auto gone = static_cast<std::int64_t>(found->second.size()) - 1;
  TrackingTotals& totals = *hold.settings->tracking;
  totals.items.fetch_sub(gone, std::memory_order_relaxed);
  totals.bytes.fetch_sub(gone * kItemBytes, std::memory_order_relaxed);
  found->second.assign(1, std::move(stays));
}

void KeyWatchers::notify(Hold& hold, std::string_view key,
                         const std::shared_ptr<Tracker>& tracker) {
  if (tracker->mode.load(std::memory_order_acquire) != Tracker::Mode::by_key) return;
  hold.notifications->stale.push_back({tracker, std::string(key)});
}

void KeyWatchers::drop(Hold& hold, Tracked::iterator at) {
  TrackingTotals& totals = *hold.settings->tracking;
  const auto items = static_cast<std::int64_t>(at->second.size());
  totals.keys.fetch_sub(1, std::memory_order_relaxed);
  totals.items.fetch_sub(items, std::memory_order_relaxed);
  totals.bytes.fetch_sub(key_bytes(at->first) + items * kItemBytes, std::memory_order_relaxed);
  tracked_.erase(at);
}

void KeyWatchers::trim_tracked(Hold& hold, std::size_t max) {
  for (; max > 0 && !tracked_.empty() && hold.settings->tracks_too_many(); --max) {
    std::size_t bucket = hold.random % tracked_.bucket_count();
    hold.random = hold.random * 6364136223846793005ull + 1442695040888963407ull;
    while (tracked_.bucket_size(bucket) == 0) bucket = (bucket + 1) % tracked_.bucket_count();
    const TrackedKey& key = tracked_.begin(bucket)->first;
    const auto at = tracked_.find(TrackedView{key.name, key.hash, key.db});
    for (const auto& tracker : at->second) notify(hold, at->first.name, tracker);
    drop(hold, at);
  }
}

void KeyWatchers::forget_tracked(Hold& hold) {
  while (!tracked_.empty()) drop(hold, tracked_.begin());
}

}  // namespace slotcar::keyspace
