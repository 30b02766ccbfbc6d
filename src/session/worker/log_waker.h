// LogWaker: wakes the log's thread after calls of one worker have appended records. Under
// `appendfsync always` every reply that waits for a sync waits a little longer for the calls that
// are there to be read, so that all of them share the sync: the log is woken when the worker has
// nothing else to do, or when the log's patience is over. The worker's thread alone touches it.
#pragma once

#include "runtime/event_loop.h"
#include "runtime/member_task.h"
#include "shard/scheduler.h"
#include "shard/thread.h"

namespace slotcar::session {

class LogWaker {
 public:
  LogWaker(shard::Thread& thread, const shard::Scheduler& scheduler)
      : thread_(thread), scheduler_(scheduler) {}

  // At the end of a turn.
  void turn_ended() {
    if (thread_.wakes_log) wake_in_time();
  }

 private:
  void wake_in_time();
  void wake();
  void on_idle();

  shard::Thread& thread_;
  const shard::Scheduler& scheduler_;
  runtime::Nanos put_off_since_ = 0;  // 0: it is not
  bool posted_ = false;
  runtime::MemberTask<&LogWaker::on_idle> idle_task_{*this};
};

}  // namespace slotcar::session
