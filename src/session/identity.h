// Identity: as which user and how a connection's calls run: user, database, protocol, and what
// CLIENT NO-TOUCH and NO-EVICT say. A part of its session. What CLIENT LIST shows of it is written
// into the client's record as it changes.
//
// The user is a snapshot that never changes; the session looks before each batch of requests
// whether it was replaced (acl/users.h). It is exchanged only while no call of the connection is
// under way, or by the call itself at home (AUTH), so calls refer to it without owning it.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "acl/users.h"
#include "router/refusals.h"
#include "session/clients.h"
#include "shard/call.h"

namespace slotcar::session {

class Identity {
 public:
  explicit Identity(ClientRecord& record) : record_(record) { caller_.client = record.id; }

  // What every call of the connection is given.
  const shard::Caller& caller() const { return caller_; }

  // --- the user. Set before the first request.
  const acl::User& user() const { return *user_; }
  // Proved by a password, or the user needs none.
  bool authenticated() const { return !stops_.has(router::Reason::unauthenticated); }
  void become(acl::UserRef user, bool proved) {
    proved_ = proved;
    set_user(std::move(user));
  }
  // The same user, with its rights of now.
  void refresh(acl::UserRef user) { set_user(std::move(user)); }
  // What the user is stopped by, as far as it does not depend on the request.
  router::Reasons stops() const { return stops_; }

  DbIndex db() const { return caller_.db; }
  void select(DbIndex db) {
    caller_.db = db;
    record_.db.set(db.value);
  }
  resp::Protocol protocol() const { return caller_.protocol; }
  void set_protocol(resp::Protocol protocol) {
    caller_.protocol = protocol;
    record_.protocol.set(static_cast<std::uint8_t>(protocol));
  }
  void set_no_touch(bool on) {
    caller_.no_touch = on;
    record_.flags.no_touch.set(on);
  }
  void set_no_evict(bool on) { record_.flags.no_evict.set(on); }
  void set_in_multi(bool yes) { caller_.in_multi = yes; }
  // --- in a cluster
  // ASKING: for the next request, or if that is MULTI until its EXEC.
  void ask() {
    caller_.asks = true;
    asking_is_used_ = false;
  }
  // The next request has come after `ask`.
  void use_asking(bool in_multi) {
    if (asking_is_used_ && !in_multi) caller_.asks = false;
    asking_is_used_ = true;
  }
  void set_reads_replica(bool on) { caller_.reads_replica = on; }
  void set_by_tls(bool yes) { caller_.by_tls = yes; }
  // In which later calls note what they read (CLIENT TRACKING); null: they do not.
  keyspace::Tracker* tracker() const { return caller_.tracker; }
  void set_tracker(keyspace::Tracker* tracker) { caller_.tracker = tracker; }

  // RESET: as a new connection is; its user is given separately.
  void reset() {
    select(DbIndex{0});
    set_protocol(resp::Protocol::resp2);
    set_no_touch(false);
    set_no_evict(false);
    caller_.asks = false;
    set_reads_replica(false);
  }

 private:
  void set_user(acl::UserRef user) {
    user_ = std::move(user);
    caller_.user = user_.get();
    stops_ = {};
    stops_.add(router::Reason::unauthenticated, !proved_ && !user_->is_open());
    stops_.add(router::Reason::restricted, user_->restricted());
  }

  ClientRecord& record_;
  shard::Caller caller_;
  acl::UserRef user_;
  router::Reasons stops_{router::Reason::unauthenticated};  // until there is a user
  bool proved_ = false;
  bool asking_is_used_ = false;
};

}  // namespace slotcar::session
