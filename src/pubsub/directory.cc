#include "pubsub/directory.h"

#include "base/assert.h"
#include "base/glob.h"
#include "base/hash.h"
#include "pubsub/matching_patterns.h"

namespace slotcar::pubsub {

std::size_t Directory::stripe_of(std::string_view name) {
  // Only spreads names over locks: a client that makes them collide slows down only itself.
  return base::hash_bytes(name, base::HashSeed{}) % kStripes;
}

Directory::Names& Directory::place_of(Kind kind, std::string_view name) {
  switch (kind) {
    case Kind::channel:
      return channels_[stripe_of(name)];
    case Kind::shard_channel:
      return shard_channels_[stripe_of(name)];
    case Kind::pattern:
      return patterns_;
  }
  UNREACHABLE();
}

void Directory::add(Kind kind, std::string_view name, WorkerId worker) {
  Names& place = place_of(kind, name);
  std::lock_guard lock(place.mutex);
  auto at = place.map.find(name);
  if (at == place.map.end()) {
    at = place.map.emplace(std::string(name), Count{}).first;
    counts_[static_cast<int>(kind)].fetch_add(1, std::memory_order_release);
  }
  ++at->second.total;
  ++at->second.by_worker[worker];
}

void Directory::remove(Kind kind, std::string_view name, WorkerId worker) {
  Names& place = place_of(kind, name);
  std::lock_guard lock(place.mutex);
  const auto at = place.map.find(name);
  ASSERT(at != place.map.end());
  const auto here = at->second.by_worker.find(worker);
  ASSERT(here != at->second.by_worker.end());
  if (--here->second == 0) at->second.by_worker.erase(here);
  if (--at->second.total == 0) {
    place.map.erase(at);
    counts_[static_cast<int>(kind)].fetch_sub(1, std::memory_order_release);
  }
}

void Directory::note(const Count& found, Receivers& into) {
  into.count += found.total;
  for (const auto& [worker, count] : found.by_worker) into.workers.set(worker.value);
}

Directory::Receivers Directory::receivers(Kind kind, std::string_view channel) const {
  Receivers found;
  if (count(kind) != 0) {
    const Names& place = place_of(kind, channel);
    std::lock_guard lock(place.mutex);
    const auto at = place.map.find(channel);
    if (at != place.map.end()) note(at->second, found);
  }
  if (kind == Kind::shard_channel || count(Kind::pattern) == 0) return found;
  std::lock_guard lock(patterns_.mutex);
  for_each_matching(patterns_.map, channel,
                    [&](const std::string&, const Count& subscribed) { note(subscribed, found); });
  return found;
}

std::vector<std::string> Directory::names(Kind kind, std::string_view pattern) const {
  std::vector<std::string> all;
  for (const Names& place : kind == Kind::channel ? channels_ : shard_channels_) {
    std::lock_guard lock(place.mutex);
    for (const auto& [name, subscribed] : place.map) {
      if (base::glob_match(pattern, name)) all.push_back(name);
    }
  }
  return all;
}

std::size_t Directory::subscribers(Kind kind, std::string_view name) const {
  const Names& place = place_of(kind, name);
  std::lock_guard lock(place.mutex);
  const auto at = place.map.find(name);
  return at == place.map.end() ? 0 : at->second.total;
}

std::size_t Directory::count(Kind kind) const {
  return counts_[static_cast<int>(kind)].load(std::memory_order_acquire);
}

}  // namespace slotcar::pubsub
