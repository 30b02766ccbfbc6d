// CallPool: the calls of one worker. It lends them to sessions while they are under way, so an idle
// connection has none. A few are kept for the next request. The worker's thread alone touches it.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "shard/call.h"

namespace slotcar::session {

class CallPool {
 public:
  shard::Call* lend() {
    if (free_.empty()) return new shard::Call();
    shard::Call* call = free_.back().release();
    free_.pop_back();
    return call;
  }
  void give_back(shard::Call* call) {
    if (free_.size() >= kKept) {
      delete call;
      return;
    }
    call->reset();
    free_.emplace_back(call);
  }
  std::size_t kept() const { return free_.size(); }

  static constexpr std::size_t kKept = 64;

 private:
  std::vector<std::unique_ptr<shard::Call>> free_;
};

}  // namespace slotcar::session
