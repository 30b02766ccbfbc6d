#include "keyspace/interest.h"

#include <algorithm>

namespace slotcar::keyspace {

void Interest::watch(DbIndex db, const Key& key, const std::shared_ptr<WatchFlag>& flag) {
  auto found = watched_.find(WatchedView{key.name, key.hash, db});
  if (found == watched_.end()) {
    WatchedKey watched{std::string(key.name), key.hash, key.slot, db};
    found = watched_.emplace(std::move(watched), Flags{}).first;
  }
  Flags& flags = found->second;
  if (std::find(flags.begin(), flags.end(), flag) == flags.end()) flags.push_back(flag);
}

void Interest::unwatch(DbIndex db, const Key& key, const std::shared_ptr<WatchFlag>& flag) {
  const auto found = watched_.find(WatchedView{key.name, key.hash, db});
  if (found == watched_.end()) return;
  std::erase(found->second, flag);
  if (found->second.empty()) watched_.erase(found);
}

void Interest::mark(DbIndex db, const Key& key) const {
  const auto found = watched_.find(WatchedView{key.name, key.hash, db});
  if (found != watched_.end()) raise(found->second);
}

void Interest::raise(const Flags& flags) {
  for (const auto& flag : flags) flag->dirty.store(true, std::memory_order_release);
}

}  // namespace slotcar::keyspace
