// PushBacklog: how many of the bytes that wait for a connection it did not ask for (messages,
// invalidations). A connection may have to take a long reply that it asked for; but what others
// send it is bounded, whatever it does.
//
// Pushes and replies leave through one queue, in one order. Instead of remembering each push, two
// stretches of the queue are counted: the older one up to `boundary_`, and what came after. When
// all of the older one has left, the newer takes its place. So the answer is never too small, and
// too large by what has left of the older stretch at most.
#pragma once

#include <cstddef>

namespace slotcar::session {

class PushBacklog {
 public:
  void pushed(std::size_t bytes) { newer_ += bytes; }
  // Positions in the queue, counted from the first byte ever: what has left, and its end now.
  void sent(std::size_t to, std::size_t end) {
    if (to == end) {
      older_ = newer_ = 0;
      return;
    }
    if (to < boundary_) return;
    older_ = newer_;
    newer_ = 0;
    boundary_ = end;
  }
  std::size_t bytes() const { return older_ + newer_; }

 private:
  std::size_t older_ = 0;
  std::size_t newer_ = 0;
  std::size_t boundary_ = 0;
};

}  // namespace slotcar::session
