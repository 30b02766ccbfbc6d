// Told: connections that were told something they did not ask for (messages, events, invalidations)
// and have still to be sent it. Answers leave at the end of the turn in which they were made;
// these leave in portions, the oldest first, with a turn between two portions. So a message to
// thousands delays nobody's answer for long; and what is published meanwhile joins what still
// waits, so that a subscriber is sent several messages at once instead of one by one.
//
// A worker's own, touched by its thread alone. A connection stands in it at most once, and takes
// itself out when it ends or has been sent everything with an answer of its own.
#pragma once

#include <cstddef>

namespace slotcar::session {

// What a connection stands in the list with.
class ToldPlace {
 public:
  ToldPlace() = default;
  ~ToldPlace() { leave_told(); }
  ToldPlace(const ToldPlace&) = delete;
  ToldPlace& operator=(const ToldPlace&) = delete;

  bool in_told() const { return next_ != this; }
  void leave_told() {
    previous_->next_ = next_;
    next_->previous_ = previous_;
    next_ = previous_ = this;
  }

 private:
  friend class Told;
  // A ring, of itself alone while it is not listed.
  ToldPlace* next_ = this;
  ToldPlace* previous_ = this;
};

class Told {
 public:
  // How many are sent theirs in one turn: about a third of a millisecond's work.
  static constexpr std::size_t kPortion = 64;
  // Who has more than this waiting is sent it with the answers of this turn.
  static constexpr std::size_t kBytesMax = 64 * 1024;

  bool empty() const { return !ring_.in_told(); }
  void add(ToldPlace& place) {
    place.previous_ = ring_.previous_;
    place.next_ = &ring_;
    ring_.previous_->next_ = &place;
    ring_.previous_ = &place;
  }
  // The one that has waited longest; it is not empty.
  ToldPlace& pop() {
    ToldPlace& first = *ring_.next_;
    first.leave_told();
    return first;
  }

 private:
  ToldPlace ring_;
};

}  // namespace slotcar::session
