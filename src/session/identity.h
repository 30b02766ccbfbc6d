// Identity: as whom and how a connection's calls run: authentication, database, protocol, and what
// CLIENT NO-TOUCH and NO-EVICT say. A part of its session. What CLIENT LIST shows of it is written
// into the client's record as it changes.
#pragma once

#include <atomic>
#include <cstdint>

#include "session/clients.h"
#include "shard/call.h"

namespace slotcar::session {

class Identity {
 public:
  explicit Identity(ClientRecord& record) : record_(record) { caller_.client = record.id; }

  // What every call of the connection is given.
  const shard::Caller& caller() const { return caller_; }

  bool authenticated() const { return authenticated_; }
  void set_authenticated(bool yes) { authenticated_ = yes; }
  DbIndex db() const { return caller_.db; }
  void select(DbIndex db) {
    caller_.db = db;
    record_.db.store(db.value, std::memory_order_relaxed);
  }
  resp::Protocol protocol() const { return caller_.protocol; }
  void set_protocol(resp::Protocol protocol) {
    caller_.protocol = protocol;
    record_.protocol.store(static_cast<std::uint8_t>(protocol), std::memory_order_relaxed);
  }
  void set_no_touch(bool on) {
    caller_.no_touch = on;
    record_.no_touch.store(on, std::memory_order_relaxed);
  }
  void set_no_evict(bool on) { record_.no_evict.store(on, std::memory_order_relaxed); }
  void set_in_multi(bool yes) { caller_.in_multi = yes; }
  // For whom the calls to come remember what they read (CLIENT TRACKING); null: for no client.
  keyspace::Tracker* tracker() const { return caller_.tracker; }
  void set_tracker(keyspace::Tracker* tracker) { caller_.tracker = tracker; }

  // RESET: as a new connection is.
  void reset(bool authenticated) {
    select(DbIndex{0});
    set_protocol(resp::Protocol::resp2);
    set_no_touch(false);
    set_no_evict(false);
    set_authenticated(authenticated);
  }

 private:
  ClientRecord& record_;
  shard::Caller caller_;
  bool authenticated_ = false;
};

}  // namespace slotcar::session
