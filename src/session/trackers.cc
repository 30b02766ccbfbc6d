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
  bool had = false;
  for (auto at = by_prefix_.begin(); at != by_prefix_.end();) {
    had |= at->second.erase(tracker->client) != 0;
    at = at->second.empty() ? by_prefix_.erase(at) : std::next(at);
  }
  if (had) totals.prefix_trackers.fetch_sub(1, std::memory_order_relaxed);
}

void Trackers::add_prefix(std::string_view prefix, const Tracker& tracker) {
  std::lock_guard lock(mutex_);
  bool first = true;
  for (const auto& [other, trackers] : by_prefix_) first &= !trackers.contains(tracker->client);
  auto at = by_prefix_.find(prefix);
  if (at == by_prefix_.end()) at = by_prefix_.emplace(std::string(prefix), ByClient{}).first;
  at->second.emplace(tracker->client, tracker);
  if (first) totals.prefix_trackers.fetch_add(1, std::memory_order_relaxed);
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
