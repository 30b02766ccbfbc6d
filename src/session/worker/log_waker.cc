#include "session/worker/log_waker.h"

#include <utility>

namespace slotcar::session {

void LogWaker::wake_in_time() {
  const storage::Log* log = scheduler_.log();
  if (log == nullptr || log->patience() == 0) return wake();
  const runtime::Nanos now = thread_.loop->turn_monotonic();
  if (put_off_since_ == 0) put_off_since_ = now;
  if (now - put_off_since_ >= log->patience()) return wake();
  if (std::exchange(posted_, true)) return;
  thread_.loop->post_idle(idle_task_);
}

void LogWaker::wake() {
  thread_.wakes_log = false;
  put_off_since_ = 0;
  if (storage::Log* log = scheduler_.log()) log->wake();
}

void LogWaker::on_idle() {
  posted_ = false;
  if (thread_.wakes_log) wake();
}

}  // namespace slotcar::session
