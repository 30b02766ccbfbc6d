// SlotCheck: whether this node serves the slots of a call, in a cluster. The router asks when a
// request is admitted. A call may wait after that, and the topology may change meanwhile; and
// whether a key is here, which decides while a slot is being moved, can only be seen under its
// token. So it is asked once more by the thread that runs the call. Any thread.
#pragma once

#include "shard/call.h"
#include "shard/thread.h"

namespace slotcar::shard {

class Shard;

class SlotCheck {
 public:
  struct Verdict {
    bool is_refused = false;    // it was answered with an error, and counted
    Shard* waits_in = nullptr;  // it waits there, holding nothing, until it is run again
  };
  // Under the call's tokens, or where it needs none. Neither of the two: it may run.
  virtual Verdict check(Thread& thread, Call& call) const = 0;
  // Likewise for a call that has waited for keys, and is to be served.
  virtual bool refuse_waiter(Thread& thread, Call& call) const = 0;
  // The call has waited for keys whose slot this node does not have any more.
  virtual void answer_moved(Call& call) const = 0;

 protected:
  ~SlotCheck() = default;
};

// Answers a request that a cluster does not allow (Command::refused_in_cluster). False: it does.
inline bool refused_in_cluster(Call& call) {
  const auto refused = call.declaration().refused_in_cluster;
  if (refused == nullptr) return false;
  const std::string_view error = refused(call.args());
  if (error.empty()) return false;
  call.reply().error(error);
  return true;
}

}  // namespace slotcar::shard
