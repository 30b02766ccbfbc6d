// Work of a command without keys that grows with something other than its keys: connections,
// channels, entries of the slow log. A little is done on the worker, because an administrator needs
// an answer even when the slow lane is busy. A lot would keep other connections waiting, and is
// done on the slow lane.
#pragma once

#include <cstddef>

#include "commands/declare.h"

namespace slotcar::commands {

// A line or a name each: some hundred microseconds.
inline constexpr std::size_t kDoneOnTheSpotMax = 256;

// `work` touches what any thread may, and what the handler has put into the call's state.
inline void in_good_time(Call& call, std::size_t items, Call::Continuation work) {
  if (items <= kDoneOnTheSpotMax) return work(call);
  call.finish_without_tokens(work);
}

}  // namespace slotcar::commands
