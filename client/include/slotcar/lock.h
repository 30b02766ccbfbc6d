// Lock: mutual exclusion between programs, for a limited time, with a fencing token.
//
//   LockName name(client, "report", {.lease = 30s});
//   Result<std::optional<Lock>> lock = name.try_lock();        // nothing: another one has it
//   if (lock && *lock) {
//     write_report((*lock)->fencing_token());
//   }                                                          // released at the end
//
// A lease ends by itself, so that a program that dies does not hold its lock for ever. It also ends
// while a program that is merely slow believes to hold it: no lock over a network can prevent that.
// Therefore each acquisition has a number that is larger than all before, the fencing token. Send
// it with everything that the lock protects, and let the receiver refuse a smaller number than it
// has seen. `held` says whether the lease still runs by the clock of this program.
//
// The lock is one key on one server: if the server loses its data, or a failover loses the last
// writes, two can hold it. The counter of tokens is a key of its own, `lock:{NAME}:fence`, which
// must not be deleted or evicted.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "slotcar/client.h"
#include "slotcar/task.h"

namespace slotcar::client {

struct LockOptions {
  Millis lease{10'000};
  // `lock` asks again after a pause of about this length.
  Millis retry_after{50};
};

namespace detail {
struct LockIdentity;
}

// Held until it is released or destroyed, or until its lease ends. It must not outlive the client.
class Lock {
 public:
  Lock(std::shared_ptr<const detail::LockIdentity> identity, std::string owner, std::int64_t token,
       std::chrono::steady_clock::time_point until);
  ~Lock();  // releases, without waiting for the answer
  Lock(Lock&& other) noexcept = default;
  Lock& operator=(Lock&& other) noexcept;

  std::int64_t fencing_token() const { return token_; }
  // By the clock of this program. A network's delays and a drift of the clocks are subtracted.
  bool held() const { return identity_ && std::chrono::steady_clock::now() < until_; }
  std::chrono::steady_clock::time_point held_until() const { return until_; }

  // The lease begins anew. Error::Kind::aborted: it had ended, and the lock is lost.
  Status extend();
  Task<Status> extend_call();
  // Error::Kind::aborted: the lease had ended before; another one may have had the lock meanwhile.
  // (Not noticed if the first answer was lost.)
  Status release();
  Task<Status> release_call();

 private:
  Status take_extended(Result<Reply>&& reply, std::chrono::steady_clock::time_point asked);
  Status take_released(Result<Reply>&& reply, bool again);

  std::shared_ptr<const detail::LockIdentity> identity_;  // null: released or moved
  std::string owner_;
  std::int64_t token_;
  std::chrono::steady_clock::time_point until_;
};

class LockName {
 public:
  LockName(Client& client, const std::string& name, LockOptions options = {});

  // Nothing: another one has it.
  Result<std::optional<Lock>> try_lock();
  Task<Result<std::optional<Lock>>> try_lock_call();
  // Asks again until it has it. Error::Kind::timeout after `at_most`.
  Result<Lock> lock(Millis at_most);

 private:
  Result<std::optional<Lock>> take(Result<Reply>&& reply, const std::string& owner,
                                   std::chrono::steady_clock::time_point asked);
  std::shared_ptr<const detail::LockIdentity> identity_;
};

}  // namespace slotcar::client
