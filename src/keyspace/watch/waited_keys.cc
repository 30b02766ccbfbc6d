#include "keyspace/watch/waited_keys.h"

#include <memory>

#include "base/assert.h"

namespace slotcar::keyspace {

void WaitedKey::append(WaitLink& link) {
  ASSERT(link.at == nullptr);
  link.at = this;
  link.previous = last;
  link.next = nullptr;
  (last != nullptr ? last->next : first) = &link;
  last = &link;
  ++count;
  if (link.wants_end) ++wanting_end;
}

void WaitedKey::take_out(WaitLink& link) {
  ASSERT(link.at == this);
  (link.previous != nullptr ? link.previous->next : first) = link.next;
  (link.next != nullptr ? link.next->previous : last) = link.previous;
  link.next = link.previous = nullptr;
  link.at = nullptr;
  --count;
  if (link.wants_end) --wanting_end;
}

WaitedKey* WaitedKeys::find(DbIndex db, const Key& key) {
  const auto found = keys_.find(View{key.name, key.hash, db});
  return found == keys_.end() ? nullptr : found->second.get();
}

WaitedKey& WaitedKeys::make(DbIndex db, const Key& key) {
  if (WaitedKey* there = find(db, key)) return *there;
  auto made = std::make_unique<WaitedKey>();
  made->name = key.name;
  made->hash = key.hash;
  made->slot = key.slot;
  made->db = db;
  WaitedKey& waited = *made;
  keys_.emplace(View{waited.name, waited.hash, db}, std::move(made));
  return waited;
}

bool WaitedKeys::drop_unused(WaitedKey& key) {
  if (key.count != 0 || key.signalled || key.task_pending || key.due) return false;
  keys_.erase(View{key.name, key.hash, key.db});
  return true;
}

void WaitedKeys::signal(Hold& hold, DbIndex db, const Key& key) {
  if (hold.signals == nullptr) return;
  if (WaitedKey* waited = find(db, key)) signal(*hold.signals, *waited);
}

void WaitedKeys::signal_all(std::vector<WaitedKey*>& signals, DbIndex db) {
  for (auto& [view, key] : keys_) {
    if (view.db == db) signal(signals, *key);
  }
}

void WaitedKeys::signal(std::vector<WaitedKey*>& signals, WaitedKey& key) {
  if (key.signalled) return;
  key.signalled = true;
  signals.push_back(&key);
}

void WaitedKeys::set_due(WaitedKey& key, bool due) {
  if (key.due == due) return;
  key.due = due;
  if (due) {
    due_.push_back(&key);
  } else {
    std::erase(due_, &key);
  }
}

}  // namespace slotcar::keyspace
