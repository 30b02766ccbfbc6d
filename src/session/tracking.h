// Tracking: what a connection has asked for with CLIENT TRACKING. A part of its session, made on
// first use. What other threads read of it is in its Tracker.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/ids.h"
#include "keyspace/watch/tracker.h"
#include "schema/command.h"
#include "session/clients.h"
#include "session/identity.h"
#include "session/trackers.h"

namespace slotcar::session {

struct TrackingOptions {
  bool by_prefix = false;  // BCAST
  bool optin = false;      // only what is read after CLIENT CACHING YES
  bool optout = false;     // all but what is read after CLIENT CACHING NO
  bool noloop = false;
  ClientId redirect{};                  // zero: to the connection itself
  std::vector<std::string> prefixes{};  // of BCAST; none: all keys
};

class Tracking {
 public:
  // All of them outlive it. The identity has the tracker that later calls note their reads in.
  Tracking(ClientRecord& record, WorkerId worker, Identity& identity, Trackers& trackers);

  bool on() const { return on_; }
  const TrackingOptions& options() const { return options_; }  // as they were last given, except:
  // Those of all CLIENT TRACKING ON BCAST since it was off.
  const std::set<std::string>& prefixes() const { return prefixes_; }
  // CLIENT CACHING was given for the next command or transaction.
  bool caching() const { return caching_; }
  const keyspace::Tracker& tracker() const { return *tracker_; }

  // The options are compatible with what is on already.
  void track(const TrackingOptions& options);
  void untrack();
  void set_caching();  // CLIENT CACHING, which the options allow
  // CLIENT CACHING holds for the next command, or for the whole transaction if that is MULTI; other
  // CLIENT commands do not count.
  void use_up_caching(const schema::Command& command, bool in_multi);
  void begin_multi();

 private:
  bool remembers_reads() const {
    return on_ && !options_.by_prefix && !(options_.optin && !caching_) &&
           !(options_.optout && caching_);
  }
  void track_prefix(const std::string& prefix);
  void note();

  ClientRecord& record_;
  Identity& identity_;
  Trackers& trackers_;
  std::shared_ptr<keyspace::Tracker> tracker_;
  TrackingOptions options_;
  std::set<std::string> prefixes_;
  bool on_ = false;
  bool caching_ = false;
  bool caching_used_ = false;  // the last command was the one that CLIENT CACHING was for
};

}  // namespace slotcar::session
