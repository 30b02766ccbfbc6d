// Splitter: splits a request over keys of several slots into one per slot, and merges their
// answers. Only where the caller allowed it, because the parts do not run atomically.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "call.h"
#include "slotcar/options.h"

namespace slotcar::client::detail {

class Core;

// The first failure among the parts of a request. It says that nothing ran only if that is true of
// every part: otherwise a caller that retries the whole would run some parts twice.
std::optional<Error> first_error(const std::vector<const Result<Reply>*>& parts);

class Splitter {
 public:
  // False: all keys are in one slot, nothing to split. True: the parts were started, and the call
  // itself is no longer needed.
  static bool start(Core& core, const Call& call, const CallOptions& options);
};

}  // namespace slotcar::client::detail
