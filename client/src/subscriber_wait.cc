// The waits of coroutines in a subscriber: for the next message, or for a confirmation.
#include <algorithm>

#include "subscriber_state.h"

namespace slotcar::client::detail {
namespace {

// Longer waits would overflow the clock.
constexpr Millis kLongestWait = std::chrono::hours(24 * 365);

}  // namespace

bool SubscriberWait::await_ready() {
  return state->end_at_once(*this);
}

bool SubscriberWait::await_suspend(std::coroutine_handle<> handle) {
  return state->suspend(*this, handle);
}

// Ended, or never begun: the state no longer knows it.
SubscriberWait::~SubscriberWait() = default;

// With the mutex. True: it can end now, and has its result.
bool SubscriberState::fill(SubscriberWait& wait) {
  if (wait.for_message) {
    if (has_message()) wait.message = take_next();
    return wait.message || closed_;
  }
  const Subscription subscription{wait.kind, wait.name};
  if (closed_) {
    wait.status = Error{Error::Kind::closed, Error::Ran::no, "the client is closed"};
  } else if (const auto refused = refused_.find(subscription); refused != refused_.end()) {
    wait.status = refused->second;
  } else {
    return confirmed_.contains(subscription) == wait.add;
  }
  return true;
}

bool SubscriberState::end_at_once(SubscriberWait& wait) {
  if (!core_) {
    wait.status = Error{Error::Kind::usage, Error::Ran::no, "the client's options are wrong"};
    return true;
  }
  const std::lock_guard lock(mutex_);
  if (!wait.for_message) refused_.erase({wait.kind, wait.name});
  if (wait.for_message && wait.stop.stop_requested()) return true;
  return fill(wait);
}

bool SubscriberState::suspend(SubscriberWait& wait, std::coroutine_handle<> handle) {
  wait.resumption.prepare(*core_, handle);
  const Millis at_most = std::clamp(wait.at_most, Millis(0), kLongestWait);
  {
    const std::lock_guard lock(mutex_);
    wait.id = next_wait_++;
    wait.until = std::chrono::steady_clock::now() + at_most;
    waits_.push_back(&wait);
    if (!closed_) {
      if (!wait.for_message) {
        core_->first_thread().post([self = shared_from_this(), add = wait.add,
                                    subscription = Subscription{wait.kind, wait.name}] {
          self->tell_line(subscription, add);
        });
      }
      if (wait.until < timer_due_) {
        timer_due_ = wait.until;
        core_->first_thread().post(
            [self = shared_from_this(), turn = ++timer_turn_] { self->expire(turn); });
      }
    }
  }
  // From here on it may end at any time, but the coroutine does not continue before `suspend`.
  if (wait.stop.stop_possible()) {
    wait.on_stop.emplace(wait.stop, [self = this, id = wait.id] { self->cancel(id); });
  }
  settle();
  return wait.resumption.suspend();
}

// On the thread that asks to stop. The coroutine continues on the I/O thread, as always.
void SubscriberState::cancel(std::uint64_t id) {
  core_->first_thread().post([self = shared_from_this(), id] {
    self->settle([id](const SubscriberWait& wait) { return wait.id == id; });
  });
}

void SubscriberState::settle(const std::function<bool(const SubscriberWait&)>& give_up) {
  std::vector<SubscriberWait*> ended;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(waits_, [&](SubscriberWait* wait) {
      if (!fill(*wait)) {
        if (!give_up || !give_up(*wait)) return false;
        wait->status = Error{Error::Kind::timeout, Error::Ran::unknown,
                             "no confirmation in time; it is asked for again on each connection"};
      }
      ended.push_back(wait);
      return true;
    });
  }
  if (ended.empty()) return;
  const auto self = shared_from_this();  // the coroutine may destroy the subscriber
  for (SubscriberWait* wait : ended) wait->resumption.resume();
}

// On the I/O thread: at the time of the earliest wait, or because an earlier one has come. `turn`:
// one timer at a time continues; those that an earlier wait has replaced end here.
void SubscriberState::expire(std::uint64_t turn) {
  const auto now = std::chrono::steady_clock::now();
  settle([now](const SubscriberWait& wait) { return wait.until <= now; });
  const std::lock_guard lock(mutex_);
  if (turn != timer_turn_) return;
  timer_due_ = std::chrono::steady_clock::time_point::max();
  for (const SubscriberWait* wait : waits_) timer_due_ = std::min(timer_due_, wait->until);
  if (closed_ || waits_.empty()) return;
  const auto delay = std::chrono::duration_cast<std::chrono::nanoseconds>(timer_due_ - now);
  core_->first_thread().after(delay.count(), [weak = weak_from_this(), turn] {
    if (const auto self = weak.lock()) self->expire(turn);
  });
}

}  // namespace slotcar::client::detail
