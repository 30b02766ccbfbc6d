// PushQueue: connections that were told something they did not ask for (messages, events,
// invalidations) and have still to be sent it. Answers leave at the end of the turn in which they
// were made; these leave in portions, the oldest first, with a turn between two portions. So a
// message to thousands delays nobody's answer for long; and what is published meanwhile joins what
// still waits, so that a subscriber is sent several messages at once instead of one by one.
//
// A worker's own, touched by its thread alone. A connection stands in it at most once, and takes
// itself out when it ends or has been sent everything with an answer of its own.
#pragma once

#include <cstddef>

namespace slotcar::session {

// What a connection stands in the list with.
class PushQueueHook {
 public:
  PushQueueHook() = default;
  ~PushQueueHook() { leave_push_queue(); }
  PushQueueHook(const PushQueueHook&) = delete;
  PushQueueHook& operator=(const PushQueueHook&) = delete;

  bool in_push_queue() const { return next_ != this; }
  void leave_push_queue() {
    previous_->next_ = next_;
    next_->previous_ = previous_;
    next_ = previous_ = this;
  }

 private:
  friend class PushQueue;
  // A ring, of itself alone while it is not listed.
  PushQueueHook* next_ = this;
  PushQueueHook* previous_ = this;
};

class PushQueue {
 public:
  // How many are sent theirs in one turn: about a third of a millisecond's work.
  static constexpr std::size_t kPortion = 64;
  // Who has more than this waiting is sent it with the answers of this turn.
  static constexpr std::size_t kBytesMax = 64 * 1024;

  bool empty() const { return !ring_.in_push_queue(); }
  void add(PushQueueHook& place) {
    place.previous_ = ring_.previous_;
    place.next_ = &ring_;
    ring_.previous_->next_ = &place;
    ring_.previous_ = &place;
  }
  // The one that has waited longest; it is not empty.
  PushQueueHook& pop() {
    PushQueueHook& first = *ring_.next_;
    first.leave_push_queue();
    return first;
  }

 private:
  PushQueueHook ring_;
};

}  // namespace slotcar::session
