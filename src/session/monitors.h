// Monitors: the connections that asked to see every command (MONITOR). Any thread. Without monitors
// a command costs one look at a number.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/shared_bytes.h"
#include "shard/call.h"

namespace slotcar::session {

class Connection;
class Multi;
class Worker;

class Monitors {
 public:
  bool any() const { return count_.load(std::memory_order_relaxed) != 0; }
  // The connection becomes a monitor, or is none any more.
  void watch(Connection& connection, bool on);
  // One line to all of them; to those of other workers through their mailboxes, which keep the
  // order of each sender.
  void show(Worker& here, std::string_view line);
  // A call that is about to run; what MULTI has queued is shown with its EXEC.
  void show_call(Connection& from, const Multi& multi, const shard::Call& call);

 private:
  std::mutex mutex_;
  std::vector<std::pair<Worker*, ClientId>> all_;
  std::atomic<std::size_t> count_{0};
};

}  // namespace slotcar::session
