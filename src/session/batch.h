// Batch: requests that were decoded together, and the order in which they run. A machine without
// I/O: it is asked for the next step, the session carries the step out and reports what came of it.
//
// Calls that need only tokens run together, under one hold. A call that runs alone can only be the
// last one, and so can one that was answered without running (a refusal behind calls that have
// still to run). Calls are lent by the worker while they are under way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/limits.h"
#include "shard/call.h"

namespace slotcar::session {

class Batch {
 public:
  enum class Place : std::uint8_t { together, alone, answered };
  void add(shard::Call* call, Place place) {
    calls_.push_back(call);
    last_ = place;
  }
  // Takes no more: it must run before further requests are decoded.
  bool full() const { return last_ != Place::together || calls_.size() == limits::kBatchCallsMax; }
  bool empty() const { return calls_.empty(); }
  std::size_t size() const { return calls_.size(); }
  shard::Call& at(std::size_t i) const { return *calls_[i]; }
  shard::Call& current() const { return *calls_[next_]; }
  shard::Call& last() const { return *calls_.back(); }
  // Its reply is in its own output already.
  bool is_answered(std::size_t i) const {
    return last_ == Place::answered && i + 1 == calls_.size();
  }
  bool current_is_answered() const { return is_answered(next_); }
  std::span<shard::Call* const> all() const { return calls_; }
  // The next `count` calls.
  std::span<shard::Call*> ahead(std::size_t count) { return {calls_.data() + next_, count}; }

  struct Step {
    enum class What : std::uint8_t {
      run_together,      // the next `count` calls
      run_alone,         // the current call
      take_answer,       // the current call has been answered without running
      refuse_for_log,    // the current call writes, and the disk does not take the log
      refuse_denied,     // the user may not run the current call any more
      wait_for_log,      // until the log has room for the current call
      wait_for_unpause,  // until CLIENT PAUSE is over
      end,
    };
    What what;
    std::size_t count = 0;
  };
  // `facts` says what holds now, and is asked only for what the step depends on:
  //   ready(from)   how many calls, from that one on, the log admits
  //   log_fails()   the disk does not take the log
  //   paused(call)  CLIENT PAUSE keeps the call from being started
  //   closing()     the client does not get any further reply
  //   rights_changed()  the user has other rights than those with which the calls were admitted:
  //                     each is asked for once more, right before it runs
  //   denied(call)      the user may not run it any more
  template <class Facts>
  Step next(const Facts& facts) const {
    using What = Step::What;
    if (next_ == calls_.size()) return {What::end};
    const bool rechecks = facts.rights_changed();
    if (rechecks && !current_is_answered()) [[unlikely]] {
      if (facts.closing()) return {What::end};
      if (facts.denied(current())) return {What::refuse_denied};
    }
    const std::size_t ready = facts.ready(next_);
    if (ready == 0) {
      if (facts.closing()) return {What::end};
      return {facts.log_fails() ? What::refuse_for_log : What::wait_for_log};
    }
    const std::size_t left = calls_.size() - next_ - (last_ != Place::together ? 1 : 0);
    const std::size_t together = current_alone_ ? 0 : std::min(ready, left);
    if (together > 0) return {What::run_together, rechecks ? 1 : together};
    if (current_is_answered()) return {What::take_answer};
    if (facts.closing()) return {What::end};
    return {facts.paused(current()) ? What::wait_for_unpause : What::run_alone};
  }

  // Of `asked` calls that were to run together so many are finished. `pending`: the one after them
  // is under way. Neither: that one cannot run with others.
  void ran(std::size_t asked, std::size_t finished, bool pending) {
    next_ += finished;
    current_alone_ = !pending && finished < asked;
  }
  // The current call has its reply.
  void current_answered() {
    ++next_;
    current_alone_ = false;
  }
  void clear() {
    calls_.clear();
    next_ = 0;
    last_ = Place::together;
    current_alone_ = false;
  }

 private:
  std::vector<shard::Call*> calls_;
  std::size_t next_ = 0;
  Place last_ = Place::together;
  bool current_alone_ = false;
};

}  // namespace slotcar::session
