// LogWaiters: the sessions of one worker that wait until the log has reached a position: until
// their writes are durable, or until it has room again. The worker's thread alone touches it,
// except for `log_advanced`.
//
// No wake-up is lost. A session is listed first and then looks at the log once more, and the log
// advances first and then looks at the least position that is waited for. Both accesses are
// sequentially consistent, so at least one of the two sees the other.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "runtime/executor.h"
#include "runtime/member_task.h"
#include "storage/log/log.h"

namespace slotcar::session {

class LogWaiters {
 public:
  // How far the log is. UINT64_MAX: there is no log, so nothing has to wait. Any thread.
  using Position = std::function<Lsn(storage::LogMark)>;
  using Notify = std::function<void(ClientId, storage::LogMark)>;
  LogWaiters(runtime::TaskRunner& home, Position position, Notify notify)
      : home_(home), position_(std::move(position)), notify_(std::move(notify)) {}

  // The session is notified once, when `mark` has reached `wanted`.
  void add(ClientId session, storage::LogMark mark, Lsn wanted);
  // Any thread; called after the log has become durable further. A sync that brings nothing for
  // this worker does not wake it.
  void log_advanced();

 private:
  static constexpr std::uint64_t kNone = UINT64_MAX;
  struct Waiter {
    ClientId session;
    Lsn wanted;
  };
  struct List {
    storage::LogMark mark;
    std::atomic<std::uint64_t> least{kNone};  // that is wanted by one of these
    std::vector<Waiter> waiters = {};
  };

  bool some_are_due() const;
  void notify_due();

  runtime::TaskRunner& home_;
  Position position_;
  Notify notify_;
  List lists_[2] = {{storage::LogMark::durable}, {storage::LogMark::safe}};
  std::atomic<bool> posted_{false};
  runtime::MemberTask<&LogWaiters::notify_due> task_{*this};
};

}  // namespace slotcar::session
