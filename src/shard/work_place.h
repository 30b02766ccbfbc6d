// Where a call works: the one place in which slow work is decided.
//
// A declaration says how its command works when its input is large (schema::WhenLarge); a size says
// how large this one is: the estimate of the declaration, from the arguments alone, before any
// token is taken; or what the handler has found under its tokens (Call::is_large). Together with
// the limit below they say where the call works. No handler names a thread, and no other place
// compares a size with the limit.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/limits.h"
#include "schema/command.h"

namespace slotcar::shard {

// When it is asked.
enum class WorkMoment : std::uint8_t {
  before_tokens,   // nothing is held, nothing was looked at
  under_tokens,    // the handler has found its values and has not changed any
  in_transaction,  // likewise, as a part of an EXEC, whose tokens stay
  tied,  // likewise, but all must be done at once: applied from the log, or served as a waiter
};

enum class WorkPlace : std::uint8_t {
  here,         // on this thread, at once
  slow_thread,  // it queues for a slow thread, which takes the tokens: thread first, tokens second
  pinned,       // the tokens go back, and a slow thread works on what was pinned
  held_there,   // the tokens go back, and a slow thread takes them again and works under them
  moved,        // a slow thread goes on with the whole transaction, which keeps its tokens
};

constexpr bool is_large_size(std::size_t size) {
  return size > limits::kQuickElementsMax;
}

constexpr WorkPlace decide_work_place(schema::WhenLarge when_large, std::size_t size,
                                      WorkMoment moment, bool on_slow_thread) {
  using schema::WhenLarge;
  if (when_large == WhenLarge::quick || !is_large_size(size)) return WorkPlace::here;
  switch (moment) {
    case WorkMoment::before_tokens:
      return on_slow_thread ? WorkPlace::here : WorkPlace::slow_thread;
    case WorkMoment::in_transaction:
      return on_slow_thread ? WorkPlace::here : WorkPlace::moved;
    case WorkMoment::tied:
      return WorkPlace::here;
    case WorkMoment::under_tokens:
      break;
  }
  // Even on a slow thread a pin is better than a token.
  if (when_large == WhenLarge::pin_and_answer || when_large == WhenLarge::store) {
    return WorkPlace::pinned;
  }
  return on_slow_thread ? WorkPlace::here : WorkPlace::held_there;
}

// Whether a call begins on a slow thread, by its declaration and its arguments.
inline bool begins_on_slow_thread(const schema::Command& command, const Call& call) {
  return command.size != nullptr &&
         decide_work_place(command.when_large, command.size(call), WorkMoment::before_tokens,
                           false) == WorkPlace::slow_thread;
}

}  // namespace slotcar::shard
