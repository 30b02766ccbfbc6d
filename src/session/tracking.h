// Tracking: what a connection has asked for with CLIENT TRACKING; a part of its session, made on
// first use. What other threads must know of it stands in its Tracker.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/ids.h"
#include "keyspace/watch/tracker.h"
#include "runtime/output.h"

namespace slotcar::session {

struct TrackingOptions {
  bool by_prefix = false;  // BCAST
  bool optin = false;      // only what is read after CLIENT CACHING YES
  bool optout = false;     // all but what is read after CLIENT CACHING NO
  bool noloop = false;
  ClientId redirect;                  // zero: to the connection itself
  std::vector<std::string> prefixes;  // of BCAST; none: all keys
};

struct Tracking {
  std::shared_ptr<keyspace::Tracker> tracker;
  bool on = false;
  TrackingOptions options;         // as they were last given, except:
  std::set<std::string> prefixes;  // of all CLIENT TRACKING ON BCAST since it was off
  bool caching = false;            // CLIENT CACHING was given for the next command or transaction
  bool caching_used = false;       // ... and that command is the last one so far
  // Invalidations that came while a reply of this connection was under way: they leave after it
  // (Session::reply_under_way).
  runtime::Output held_back;
  Lsn held_back_gate{0};  // they may leave once the log is durable up to there

  bool remembers_reads() const {
    return on && !options.by_prefix && !(options.optin && !caching) && !(options.optout && caching);
  }
};

}  // namespace slotcar::session
