// PendingNotifications: what others are to be told of the changes made under one hold: keyspace
// events, and who has read a key that is stale now. Collected by the keyspace and the handlers
// while the tokens are held; told by the scheduler's one place for it, after the changes were
// recorded and before the tokens are given back.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "keyspace/watch/events.h"
#include "keyspace/watch/tracker.h"

namespace slotcar::keyspace {

struct PendingNotifications {
  struct Event {
    std::string_view name;  // a literal
    DbIndex db;
    std::string key;
    EventMask where;  // by key, by event, or both
  };
  struct Stale {
    std::shared_ptr<Tracker> whom;
    std::string key;
  };

  std::vector<Event> events;
  std::vector<Stale> stale;
  std::vector<std::string> changed;  // for those who track by prefix; a key may come again
  ClientId by;                       // who changed these; 0: the server itself
  bool everything_stale = false;     // a whole database has gone or was exchanged

  bool empty() const {
    return events.empty() && stale.empty() && changed.empty() && !everything_stale;
  }
  void add_changed(std::string_view key, ClientId changer) {
    by = changer;
    if (changed.empty() || changed.back() != key) changed.emplace_back(key);
  }
};

}  // namespace slotcar::keyspace
