// What a session has while its call waits for keys: the waiter, and the timer that ends its wait.
#pragma once

#include <memory>
#include <utility>

#include "runtime/member_timer.h"
#include "shard/waiter.h"

namespace slotcar::session {

class Session;

struct Waiting {
  Waiting(Session& s, std::shared_ptr<shard::Waiter> w) : session(&s), waiter(std::move(w)) {}
  void time_is_over();

  Session* session;
  std::shared_ptr<shard::Waiter> waiter;
  runtime::MemberTimer<&Waiting::time_is_over> timer{*this};
};

}  // namespace slotcar::session
