// Splitter: one request over keys of several slots, cut into one per slot, and their answers put
// together again. Only where the caller allowed it: the parts do not run at one moment.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "call.h"
#include "slotcar/options.h"

namespace slotcar::client::detail {

class Core;

// The first failure among the parts of a request. It says that nothing ran only if that is true of
// every part: otherwise whoever sends the whole again would do some parts twice.
std::optional<Error> first_error(const std::vector<const Result<Reply>*>& parts);

class Splitter {
 public:
  // False: all keys are in one slot, nothing to cut. True: the parts are on their way, and the call
  // itself is of no more use.
  static bool start(Core& core, const Call& call, const CallOptions& options);
};

}  // namespace slotcar::client::detail
