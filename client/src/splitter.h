// Splitter: one request over keys of several slots, cut into one per slot, and their answers put
// together again. Only where the caller allowed it: the parts do not run at one moment.
#pragma once

#include <memory>

#include "call.h"
#include "slotcar/options.h"

namespace slotcar::client::detail {

class Core;

class Splitter {
 public:
  // False: all keys are in one slot, nothing to cut. True: the parts are on their way, and the call
  // itself is of no more use.
  static bool start(Core& core, const Call& call, const CallOptions& options);
};

}  // namespace slotcar::client::detail
