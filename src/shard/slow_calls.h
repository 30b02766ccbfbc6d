// SlowCalls: through this interface calls that took long reach the slow log. Implemented by
// console/slow_log.h.
#pragma once

namespace slotcar::shard {

class Call;

class SlowCalls {
 public:
  virtual ~SlowCalls() = default;
  // Any thread that runs calls, mostly under the call's tokens. `call.cycles()` is what it took.
  virtual void note(const Call& call) = 0;
};

}  // namespace slotcar::shard
