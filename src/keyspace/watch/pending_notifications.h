// PendingNotifications: the notifications of the changes made under one hold: keyspace events, and
// the clients that have read a key that is now stale. The keyspace and the handlers collect them
// while the tokens are held. The scheduler sends them in one place, after the changes were recorded
// and before the tokens are released.
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
  std::vector<std::string> changed;  // for clients that track by prefix; may contain duplicates
  ClientId by;                       // the client that changed these; 0: the server itself
  bool everything_stale = false;     // a whole database was flushed or swapped

  bool empty() const {
    return events.empty() && stale.empty() && changed.empty() && !everything_stale;
  }
  void add_changed(std::string_view key, ClientId changer) {
    by = changer;
    if (changed.empty() || changed.back() != key) changed.emplace_back(key);
  }
};

}  // namespace slotcar::keyspace
