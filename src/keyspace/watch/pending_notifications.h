// PendingNotifications: what clients are to hear of one hold: keyspace events, the messages that a
// script or a transaction publishes, and the clients that have read a key that is now stale. The
// keyspace and the handlers collect them while the tokens are held. The scheduler sends them in one
// place, after the changes were recorded and before the tokens are released.
#pragma once

#include <cstddef>
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
  // Of PUBLISH inside a script or a transaction: it leaves with the events, in their order, and not
  // before the changes that it may speak of.
  struct Published {
    bool sharded;
    std::string channel;
    std::string message;
    std::size_t events_before;  // so many of the events come first
  };
  struct Stale {
    std::shared_ptr<Tracker> whom;
    std::string key;
  };

  std::vector<Event> events;
  std::vector<Published> published;
  std::size_t published_bytes = 0;
  bool published_after_reads = false;  // they may speak of any key that was held
  std::vector<Stale> stale;
  std::vector<std::string> changed;  // for clients that track by prefix; may contain duplicates
  ClientId by;                       // the client that changed these; 0: the server itself
  bool everything_stale = false;     // a whole database was flushed or swapped

  bool empty() const {
    return events.empty() && published.empty() && stale.empty() && changed.empty() &&
           !everything_stale;
  }
  void publish(bool sharded, std::string_view channel, std::string_view message) {
    published.push_back({sharded, std::string(channel), std::string(message), events.size()});
    published_bytes += sizeof(Published) + channel.size() + message.size();
  }
  // Of what is undone no client hears. Stale keys stay: the reader's entry in the table is gone.
  void take_back() {
    events.clear();
    published.clear();
    published_bytes = 0;
    published_after_reads = false;
  }
  void add_changed(std::string_view key, ClientId changer) {
    by = changer;
    if (changed.empty() || changed.back() != key) changed.emplace_back(key);
  }
};

}  // namespace slotcar::keyspace
