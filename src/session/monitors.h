// Monitors: the connections that asked to see every command (MONITOR). Any thread; without monitors
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

namespace slotcar::session {

class Worker;

class Monitors {
 public:
  bool any() const { return count_.load(std::memory_order_relaxed) != 0; }
  void add(Worker& worker, ClientId client);
  void remove(ClientId client);
  // One line to all of them; to those of other workers through their mailboxes, which keep the
  // order of each sender.
  void show(Worker& here, std::string_view line);

 private:
  std::mutex mutex_;
  std::vector<std::pair<Worker*, ClientId>> all_;
  std::atomic<std::size_t> count_{0};
};

}  // namespace slotcar::session
