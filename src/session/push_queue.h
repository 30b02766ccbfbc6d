// PushQueue: connections with pushes that have still to be sent (messages, events, invalidations).
// Replies leave at the end of the turn in which they were made. Pushes leave in portions, the
// oldest first, with a turn between two portions. So a message to thousands does not delay the
// replies of others for long. What is published meanwhile joins what still waits, so a subscriber
// is sent several messages at once instead of one by one.
//
// A worker has one, and its thread alone touches it. A connection is queued at most once. It leaves
// the queue when it ends, or when its pushes were sent with a reply of its own.
#pragma once

#include <cstddef>

namespace slotcar::session {

// A connection's place in the queue.
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
  // How many connections are sent theirs in one turn: about a third of a millisecond of work.
  static constexpr std::size_t kPortion = 64;
  // A connection with more than this is sent it with the replies of this turn.
  static constexpr std::size_t kBytesMax = 64 * 1024;

  bool empty() const { return !ring_.in_push_queue(); }
  void add(PushQueueHook& place) {
    place.previous_ = ring_.previous_;
    place.next_ = &ring_;
    ring_.previous_->next_ = &place;
    ring_.previous_ = &place;
  }
  // The connection that has waited longest. The queue is not empty.
  PushQueueHook& pop() {
    PushQueueHook& first = *ring_.next_;
    first.leave_push_queue();
    return first;
  }

 private:
  PushQueueHook ring_;
};

}  // namespace slotcar::session
