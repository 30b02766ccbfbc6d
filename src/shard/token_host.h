// TokenHost: the scheduler's side of the steps over tokens (shard/token_steps.h).
#pragma once

#include "base/limits.h"
#include "runtime/executor.h"
#include "shard/call.h"
#include "shard/shard.h"
#include "shard/thread.h"
#include "shard/token_steps.h"

namespace slotcar::shard {

class Scheduler;
class SlowLane;

class TokenHost {
 public:
  using Call = shard::Call;
  using Thread = shard::Thread;
  using Shard = shard::Shard;

  TokenHost(Scheduler& scheduler, ShardSet& shards, runtime::PauseSource* pauses)
      : scheduler_(&scheduler), shards_(&shards), pauses_(pauses) {}
  void set_slow_lane(SlowLane& slow_lane) { slow_lane_ = &slow_lane; }

  Shard& shard(ShardId id) { return (*shards_)[id]; }
  static constexpr int retreats_max() { return limits::kRetreatsMax; }
  bool stops_between(Thread& thread, Call& call);
  // A token that is about to come free is worth a microsecond; one whose holder sleeps is not.
  bool spins_for(Token& token);
  // A thread of the slow lane is kept for a call that has given its tokens back too often for want
  // of one.
  void will_queue(Thread& thread, Call& call);
  void advance(Thread& thread, Call& call);
  // What became ready on the snapshot's thread goes on at home.
  static bool hands_on_all(const Thread& thread) { return thread.duty == Duty::own_calls; }
  void post_home(Call& call);

  struct Budget {
    runtime::Clock* clock;
    runtime::Nanos end;
    int runs = 0;
    bool allows_another() {
      if (runs >= limits::kReleaseRunsMax || (runs > 0 && clock->monotonic() > end)) return false;
      ++runs;
      return true;
    }
  };
  static Budget budget(Thread& thread) {
    return {thread.clock, thread.clock->monotonic() + limits::kReleaseRunsNsMax};
  }

  static void saw(Thread& thread, TokenEvent event) {
    SchedulingCounters& counters = thread.scheduling;
    if (event == TokenEvent::batch_cut) counters.batch_cut.add(1);
    if (event == TokenEvent::retreated) counters.retreats.add(1);
    if (event == TokenEvent::run_for_other) counters.run_for_others.add(1);
    if (event == TokenEvent::handed_over) counters.handed_over.add(1);
  }
  static void saw(Thread& thread, TokenEvent event, const Shard&, const Call* = nullptr) {
    if (event == TokenEvent::queued) thread.scheduling.queued.add(1);
  }
  struct NoMark {};
  template <class... Where>
  static NoMark mark(const Where&...) {
    return {};
  }

 private:
  Scheduler* scheduler_;
  ShardSet* shards_;
  runtime::PauseSource* pauses_;
  SlowLane* slow_lane_ = nullptr;
};

}  // namespace slotcar::shard
