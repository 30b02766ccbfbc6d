#include "session/reply_gate.h"

namespace slotcar::session {

void ReplyGate::add(runtime::Output::Mark from, Lsn lsn) {
  if (!open() && gates_.back().lsn >= lsn) return;  // behind a later one anyway
  // A client that always has a reply under way never lets the list run empty: what is open goes
  // when it is the larger part.
  if (next_ > 0 && next_ >= gates_.size() - next_) {
    gates_.erase(gates_.begin(), gates_.begin() + static_cast<std::ptrdiff_t>(next_));
    next_ = 0;
  }
  gates_.push_back({from, lsn});
}

void ReplyGate::durable_up_to(Lsn durable) {
  while (!open() && gates_[next_].lsn <= durable) ++next_;
  if (open()) open_all();
}

void ReplyGate::open_all() {
  gates_.clear();
  next_ = 0;
}

}  // namespace slotcar::session
