// HoldBound: no worker of a simulated node does more under its tokens at once than a batch of quick
// calls may. Calls that do belong on the slow lane (shard/work_place.h), and are reported.
#pragma once

#include <cstdio>

#include "base/assert.h"
#include "base/limits.h"
#include "shard/hold_observer.h"

namespace slotcar::world {

class HoldBound final : public shard::HoldObserver {
 public:
  // A batch of calls, each with the most arguments that count as quick, as names and values.
  static constexpr std::size_t kArgumentsMax =
      limits::kBatchCallsMax * (2 * limits::kQuickElementsMax + 8);
  // Likewise for elements in replies and records, of up to a kilobyte each. (Long strings may be
  // more; those of the simulated clients are not.)
  static constexpr std::size_t kBytesMax =
      limits::kBatchCallsMax * limits::kQuickElementsMax * 1024;

  void on_hold(const shard::Thread& thread, const schema::Registered& command,
               const shard::HoldWork& work) override {
    if (thread.is_slow) return;
    if (work.arguments <= kArgumentsMax && work.reply_bytes <= kBytesMax &&
        work.record_bytes <= kBytesMax) {
      return;
    }
    std::fprintf(stderr,
                 "a worker held tokens for too much of %s: %zu arguments, %zu bytes "
                 "answered, %zu recorded\n",
                 command.lower_name.c_str(), work.arguments, work.reply_bytes, work.record_bytes);
    ASSERT(!"a worker's hold is over its bound");
  }
};

}  // namespace slotcar::world
