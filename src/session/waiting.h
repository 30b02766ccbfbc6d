// What a session has while its call waits for keys: the waiter, and the timer that ends its wait.
#pragma once

#include <memory>
#include <utility>

#include "runtime/timer.h"
#include "shard/waiter.h"

namespace slotcar::session {

class Session;

struct Waiting : runtime::Timer {
  Waiting(Session& s, std::shared_ptr<shard::Waiter> w)
      : runtime::Timer(&Waiting::time_is_over), session(&s), waiter(std::move(w)) {}
  static void time_is_over(runtime::Timer& timer);

  Session* session;
  std::shared_ptr<shard::Waiter> waiter;
};

}  // namespace slotcar::session
