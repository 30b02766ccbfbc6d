// Call: one call, from the caller's thread through a connection's machine to its receiver. It has
// exactly one owner at any time: the mailbox of an I/O thread, a machine's queue, or the core,
// which either forwards or completes it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "command_table.h"
#include "runtime/clock.h"
#include "runtime/task.h"
#include "slotcar/pending.h"

namespace slotcar::client {

class Lane;
class ExclusivePool;
class Node;
class TransactionLease;

using runtime::Nanos;
inline constexpr Nanos kNoDeadline = INT64_MAX;

struct Call : runtime::Task {
  explicit Call(Request r) : Task(nullptr), request(std::move(r)) {}

  Request request;
  // Several commands that count as one call (MULTI ... EXEC, ASKING + command): sent instead of the
  // request. The call ends with the last of the answers; earlier ones are kept in `earlier`.
  std::string raw;
  int answers = 1;
  std::vector<Reply> earlier;

  std::uint64_t id = 0;
  const CommandRow* row = nullptr;
  std::size_t row_number = 0;
  Nanos started = 0;
  Nanos deadline = kNoDeadline;
  Nanos send_by = kNoDeadline;  // a call may block for ever on the server, but not wait for ever
                                // for a server
  int attempts = 0;             // retries without a redirect
  int redirects = 0;
  bool may_repeat = false;          // changes nothing, or the caller allows it
  bool may_have_run = false;        // it was sent before, and is being repeated
  bool alone = false;               // blocks on the server: needs a connection of its own
  bool here = false;                // its thread waits and may do the work itself
  bool pinned = false;              // belongs to one connection: never sent on another
  std::int64_t expected_bytes = 0;  // of the answer, as counted in the lane's load

  // Its destination. Set by the core before it is posted.
  Lane* lane = nullptr;
  ExclusivePool* pool = nullptr;
  TransactionLease* lease = nullptr;
  std::string group;

  detail::Receiver* receiver = nullptr;

  // Cancelling. The stop callback runs on any thread while the call lives (its destructor waits for
  // it); it sets a flag and posts a message with the call's number, never the call's address.
  std::atomic<bool> cancel_asked{false};
  struct OnStop {
    Call* call;
    void operator()() const;
  };
  void (*post_cancel)(void* core, std::uint64_t id) = nullptr;
  void* core = nullptr;
  std::optional<std::stop_callback<OnStop>> stop;

  Nanos leave_by() const { return std::min(deadline, send_by); }
  std::size_t wire_size() const { return raw.empty() ? request.wire_size() : raw.size(); }
};

inline void Call::OnStop::operator()() const {
  call->cancel_asked.store(true, std::memory_order_release);
  call->post_cancel(call->core, call->id);
}

}  // namespace slotcar::client
