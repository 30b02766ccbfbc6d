// Sessions: the connections of one worker, by client id. What other threads want of a connection
// arrives here as a task that names the client; a client that is gone by then is passed over. The
// worker's thread alone touches it.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "base/shared_bytes.h"
#include "runtime/member_timer.h"
#include "storage/log/log.h"

namespace slotcar::session {

class Connection;
class Session;
class Worker;
struct Invalidation;

class Sessions {
 public:
  explicit Sessions(Worker& worker);
  ~Sessions();

  bool empty() const { return sessions_.empty(); }
  void add(std::unique_ptr<Session> session);
  // The connection has ended. It is freed at the end of the turn: it may be on the stack now.
  void ended(Connection& connection);
  void reap_some();  // at the end of a turn

  // --- one of them
  void close(ClientId id);
  void cut(ClientId id);  // without sending what waits for it
  void recheck_subscriptions(ClientId id);
  // Something that the client did not ask for now (a line for a monitor).
  void push_to(ClientId id, const base::SharedBytes& bytes);
  void invalidate(const Invalidation& invalidation);
  void log_advanced(ClientId id, storage::LogMark mark);

  // --- all of them
  void wake_paused();  // CLIENT UNPAUSE, or its time is over
  void unblock_for_role_change();
  void recheck_slots();  // the topology of the cluster has changed
  // No more are taken. Those that are there close once their calls are answered.
  void close_all();
  bool closing() const { return closing_; }
  // The replies of calls that are still under way are not waited for any more.
  void abandon_replies();
  void clear();  // at the worker's end

 private:
  Session* find(ClientId id) const;
  void wake_some_paused();
  void check_some();

  Worker& worker_;
  std::unordered_map<ClientId, std::unique_ptr<Session>> sessions_;
  std::deque<ClientId> ended_;
  std::vector<ClientId> to_unpause_;  // held back by a pause that is over
  std::vector<ClientId> to_check_;    // not yet in this round
  bool closing_ = false;
  runtime::MemberTimer<&Sessions::check_some> check_timer_{*this};
};

}  // namespace slotcar::session
