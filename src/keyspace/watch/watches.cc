#include "keyspace/watch/watches.h"

#include <algorithm>
#include <memory>

namespace slotcar::keyspace {

namespace {

// The key's hash is already well mixed; the database only adds a small number.
std::uint64_t hash_of(DbIndex db, const Key& key) {
  return key.hash ^ (db.value * 0x9e3779b97f4a7c15ull);
}

std::uint32_t place_of(ShardId shard, DbIndex db) {
  return static_cast<std::uint32_t>(shard.value) << 16 | db.value;
}

// A watch, the key in the shard's table, and the allocator's part of both.
std::size_t bytes_of(std::string_view name) {
  constexpr std::size_t kInString = 15;  // names this short are in the string itself
  const std::size_t beside = name.size() > kInString ? name.size() + 1 : 0;
  return sizeof(Watch) + sizeof(WatchedKey) + 2 * (beside + 2 * sizeof(void*));
}

}  // namespace

// --- of a shard --------------------------------------------------------------------------------

// When the node ends the sets are already freed, linked or not: only the keys are touched.
WatchTable::~WatchTable() {
  keys_.take_all([](WatchedKey& key) { delete &key; });
}

WatchedKey* WatchTable::find(DbIndex db, std::string_view name, std::uint64_t table_hash) const {
  return keys_.find(table_hash,
                    [&](const WatchedKey& key) { return key.db == db && key.name == name; });
}

void WatchTable::changed(DbIndex db, const Key& key) {
  WatchedKey* watched = find(db, key.name, hash_of(db, key));
  if (watched == nullptr) return;
  for (Watch* at = watched->first; at != nullptr;) {
    Watch& watch = *at;
    at = at->next;
    watch.set->raise();
    watch.at = nullptr;
    watch.next = watch.previous = nullptr;
  }
  keys_.remove(*watched);
  delete watched;
}

void WatchTable::emptied(DbIndex db) {
  for (WatchGroup* group = groups_; group != nullptr; group = group->next) {
    if (group->db == db && group->present > 0) group->set->raise();
  }
}

void WatchTable::link(Watch& watch, const Key& key) {
  WatchedKey* watched = find(watch.db, watch.name, watch.table_hash);
  if (watched == nullptr) {
    watched = new WatchedKey;
    watched->table_hash = watch.table_hash;
    watched->db = watch.db;
    watched->name = key.name;
    keys_.insert(*watched);
  }
  watch.at = watched;
  watch.next = watched->first;
  if (watched->first != nullptr) watched->first->previous = &watch;
  watched->first = &watch;
}

void WatchTable::unlink(Watch& watch) {
  WatchedKey* watched = watch.at;
  (watch.previous != nullptr ? watch.previous->next : watched->first) = watch.next;
  if (watch.next != nullptr) watch.next->previous = watch.previous;
  watch.at = nullptr;
  if (watched->first != nullptr) return;
  keys_.remove(*watched);
  delete watched;
}

void WatchTable::add(WatchGroup& group) {
  group.next = groups_;
  if (groups_ != nullptr) groups_->previous = &group;
  groups_ = &group;
}

void WatchTable::remove(WatchGroup& group) {
  (group.previous != nullptr ? group.previous->next : groups_) = group.next;
  if (group.next != nullptr) group.next->previous = group.previous;
}

// --- of a client -------------------------------------------------------------------------------

WatchSet::~WatchSet() {
  for (auto& [place, group] : groups_) {
    for (Watch* at = group.first; at != nullptr;) {
      const std::unique_ptr<Watch> watch(at);
      at = at->group_next;
    }
  }
}

WatchGroup& WatchSet::group_at(WatchTable& table, ShardId shard, DbIndex db) {
  if (last_group_ != nullptr && last_group_->shard == shard && last_group_->db == db) {
    return *last_group_;
  }
  const auto [at, is_new] = groups_.try_emplace(place_of(shard, db));
  WatchGroup& group = at->second;
  if (is_new) {
    group.set = this;
    group.shard = shard;
    group.db = db;
    table.add(group);
  }
  last_group_ = &group;
  return group;
}

bool WatchSet::add(WatchTable& table, Hold& hold, ShardId shard, DbIndex db, const Key& key,
                   const Entry* entry) {
  const std::uint64_t hash = hash_of(db, key);
  const auto same = [&](const Watch& watch) { return watch.db == db && watch.name == key.name; };
  if (watches_.find(hash, same) != nullptr) return false;
  WatchGroup& group = group_at(table, shard, db);
  auto* watch = new Watch;
  watch->table_hash = hash;
  watch->set = this;
  watch->db = db;
  watch->slot = key.slot;
  watch->hash = key.hash;
  watch->name = key.name;
  watch->group_next = group.first;
  group.first = watch;
  watches_.insert(*watch);
  table.link(*watch, key);
  if (entry != nullptr) {
    ++group.present;
    // Expired fields that still exist will be removed, which is a change.
    if (const UnixMs due = entry->due(); due > hold.now) ends_at_ = std::min(ends_at_, due);
  }
  ++size_;
  bytes_ += bytes_of(key.name);
  hold.counters->watches.add(1);
  return true;
}

bool WatchSet::remove_some(WatchTable& table, KeyspaceCounters& counters, ShardId shard,
                           std::size_t max) {
  auto at = groups_.lower_bound(place_of(shard, DbIndex{0}));
  while (at != groups_.end() && at->second.shard == shard) {
    WatchGroup& group = at->second;
    while (group.first != nullptr) {
      if (max-- == 0) return false;
      const std::unique_ptr<Watch> watch(group.first);
      group.first = watch->group_next;
      if (watch->at != nullptr) table.unlink(*watch);
      --size_;
      counters.watches.add(-1);
    }
    table.remove(group);
    at = groups_.erase(at);
  }
  return true;
}

}  // namespace slotcar::keyspace
