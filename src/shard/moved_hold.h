// MovedHold: what an EXEC takes along when it continues on another thread in the middle: its
// effects so far and their notifications, which belong to the thread that runs it. The tokens stay
// with the call, so no other call sees the move; one record and one time are kept for the whole.
#pragma once

#include <utility>
#include <vector>

#include "keyspace/effects.h"
#include "keyspace/hold.h"
#include "keyspace/watch/pending_notifications.h"
#include "shard/thread.h"

namespace slotcar::shard {

class MovedHold {
 public:
  // Takes everything off the thread, as if its hold had never been.
  MovedHold(Thread& thread, keyspace::Hold&& hold) : hold_(std::move(hold)) { exchange(thread); }

  // Gives it to another one: the hold goes on there.
  keyspace::Hold put_down(Thread& thread) {
    exchange(thread);
    hold_.counters = &thread.keyspace;
    hold_.effects = &thread.effects;
    hold_.signals = &thread.signals;
    hold_.notifications = &thread.notifications;
    return std::move(hold_);
  }

 private:
  void exchange(Thread& thread) {
    std::swap(effects_, thread.effects);
    std::swap(notifications_, thread.notifications);
    std::swap(signals_, thread.signals);
  }

  keyspace::Hold hold_;
  keyspace::Effects effects_;
  keyspace::PendingNotifications notifications_;
  std::vector<keyspace::WaitedKey*> signals_;
};

}  // namespace slotcar::shard
