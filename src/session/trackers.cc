#include "session/trackers.h"

namespace slotcar::session {

void Trackers::add(const Tracker& tracker) {
  std::lock_guard lock(mutex_);
  all_.emplace(tracker->client, tracker);
}

void Trackers::remove(const Tracker& tracker) {
  std::lock_guard lock(mutex_);
  all_.erase(tracker->client);
  remove_prefixes(tracker);
}

void Trackers::remove_prefixes(const Tracker& tracker) {
  if (prefixes_of_.erase(tracker->client) == 0) return;
  for (auto at = by_prefix_.begin(); at != by_prefix_.end();) {
    at->second.erase(tracker->client);
    at = at->second.empty() ? by_prefix_.erase(at) : std::next(at);
  }
  totals.prefix_trackers.fetch_sub(1, std::memory_order_relaxed);
}

void Trackers::add_prefix(std::string_view prefix, const Tracker& tracker) {
  std::lock_guard lock(mutex_);
  auto at = by_prefix_.find(prefix);
  if (at == by_prefix_.end()) at = by_prefix_.emplace(std::string(prefix), ByClient{}).first;
  if (!at->second.emplace(tracker->client, tracker).second) return;
  if (++prefixes_of_[tracker->client] == 1)
    totals.prefix_trackers.fetch_add(1, std::memory_order_relaxed);
}

std::vector<Trackers::Tracker> Trackers::all() const {
  std::lock_guard lock(mutex_);
  std::vector<Tracker> list;
  for (const auto& [client, tracker] : all_) list.push_back(tracker);
  return list;
}

std::size_t Trackers::count() const {
  std::lock_guard lock(mutex_);
  return all_.size();
}

std::size_t Trackers::prefixes() const {
  std::lock_guard lock(mutex_);
  return by_prefix_.size();
}

}  // namespace slotcar::session
