// NextTurn: what a worker puts off to its next turn. Work that could take long is done in portions,
// with a turn between two of them, so that other connections are served meanwhile. The worker's
// thread alone touches it.
#pragma once

#include <utility>
#include <vector>

#include "runtime/executor.h"
#include "runtime/member_task.h"
#include "session/fiber.h"

namespace slotcar::session {

class NextTurn {
 public:
  explicit NextTurn(runtime::TaskRunner& loop) : loop_(loop) {}

  // The loop does not wait for events before its next turn.
  void request() {
    if (std::exchange(requested_, true)) return;
    loop_.post(begin_);
  }
  // Wakes a session that waits for its next turn (Wait::next_turn). The session may not end before.
  void resume(Wakeups& session) {
    sessions_.push_back(&session);
    if (sessions_.size() == 1) loop_.post(resume_);
  }

 private:
  void begin() { requested_ = false; }
  void resume_all() {
    std::vector<Wakeups*> turn;
    turn.swap(sessions_);
    for (Wakeups* session : turn) session->wake(Wait::next_turn);
  }

  runtime::TaskRunner& loop_;
  bool requested_ = false;
  std::vector<Wakeups*> sessions_;
  runtime::MemberTask<&NextTurn::begin> begin_{*this};
  runtime::MemberTask<&NextTurn::resume_all> resume_{*this};
};

}  // namespace slotcar::session
