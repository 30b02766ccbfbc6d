// HoldObserver: sees how much was done in each hold of tokens, in figures that do not depend on the
// machine. For tests: a simulated node whose worker does more in one hold than it may ends there,
// and names the command (tests/world/hold_bound.h).
#pragma once

#include <cstddef>

#include "schema/registry.h"
#include "shard/thread.h"

namespace slotcar::shard {

struct HoldWork {
  std::size_t arguments = 0;     // of the calls that ran
  std::size_t reply_bytes = 0;   // that they wrote
  std::size_t record_bytes = 0;  // of what they changed
};

class HoldObserver {
 public:
  virtual ~HoldObserver() = default;
  // Under the tokens, on the thread that holds them. `command`: of the first call.
  virtual void on_hold(const Thread& thread, const schema::Registered& command,
                       const HoldWork& work) = 0;
};

}  // namespace slotcar::shard
