// PushBacklog: how many of the bytes that wait for a client are pushes (messages, invalidations).
// A client may ask for a reply of any length, but what others send to it is bounded.
//
// Pushes and replies leave through one queue, in one order. The backlog does not remember each
// push. It counts two stretches of the queue: the older one up to `boundary_`, and what came after.
// When all of the older one has left, the newer one takes its place. So the count is never too
// small, and it is too large by at most what has left of the older stretch.
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
