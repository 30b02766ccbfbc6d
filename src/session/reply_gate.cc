#include "session/reply_gate.h"

#include <algorithm>

namespace slotcar::session {

void ReplyGate::hold_back(const runtime::Output& output, const Held& held) {
  const std::size_t to = output.mark().size;
  const bool push = held.confirms || (held.replies == 0 && to > held.from.size);
  Lsn lsn = held.lsn;
  if (!open()) {
    Gate& last = gates_.back();
    lsn = std::max(lsn, last.lsn);  // behind that one anyway
    if (lsn == last.lsn && last.to == held.from.size) {
      last.to = to;
      last.replies += held.replies;
      last.has_push |= push;
      return;
    }
  }
  // A client that always has a reply under way never lets the list run empty: what is open goes
  // when it is the larger part.
  if (next_ > 0 && next_ >= gates_.size() - next_) {
    gates_.erase(gates_.begin(), gates_.begin() + static_cast<std::ptrdiff_t>(next_));
    next_ = 0;
  }
  gates_.push_back({held.from.size, to, lsn, held.since, held.replies, push});
}

void ReplyGate::durable_up_to(Lsn durable) {
  while (!open() && gates_[next_].lsn <= durable) ++next_;
  if (open()) open_all();
}

void ReplyGate::open_all() {
  gates_.clear();
  next_ = 0;
}

bool ReplyGate::holds_push() const {
  return std::any_of(gates_.begin() + static_cast<std::ptrdiff_t>(next_), gates_.end(),
                     [](const Gate& gate) { return gate.has_push; });
}

std::size_t ReplyGate::replace_held(runtime::Output& output, std::string_view error) {
  runtime::Output kept;
  std::size_t answered = 0;
  for (; !open(); ++next_) {
    const Gate& gate = gates_[next_];
    output.move_front(kept, gate.from - sent(output));
    runtime::Output dropped;
    output.move_front(dropped, gate.to - gate.from);
    for (std::size_t i = 0; i < gate.replies; ++i) kept.append(error);
    answered += gate.replies;
  }
  output.move_front(kept, output.size());
  output.splice(std::move(kept));
  open_all();
  return answered;
}

}  // namespace slotcar::session
