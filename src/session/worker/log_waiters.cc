#include "session/worker/log_waiters.h"

namespace slotcar::session {

void LogWaiters::add(ClientId session, storage::LogMark mark, Lsn wanted) {
  List& list = lists_[static_cast<std::size_t>(mark)];
  list.waiters.push_back({session, wanted});
  if (wanted.value < list.least.load(std::memory_order_relaxed)) {
    list.least.store(wanted.value, std::memory_order_seq_cst);
  }
}

bool LogWaiters::some_are_due() const {
  for (const List& list : lists_) {
    const std::uint64_t least = list.least.load(std::memory_order_seq_cst);
    if (least != kNone && least <= position_(list.mark).value) return true;
  }
  return false;
}

void LogWaiters::log_advanced() {
  if (some_are_due() && !posted_.exchange(true)) home_.post(task_);
}

void LogWaiters::notify_due() {
  posted_.store(false);
  bool there_is_a_log = true;
  for (List& list : lists_) {
    const Lsn now = position_(list.mark);
    there_is_a_log = now.value != UINT64_MAX;
    std::vector<Waiter> waiters;
    waiters.swap(list.waiters);
    list.least.store(kNone, std::memory_order_seq_cst);
    for (const Waiter& waiter : waiters) {
      if (waiter.wanted <= now) {
        notify_(waiter.session, list.mark);
      } else {
        add(waiter.session, list.mark, waiter.wanted);
      }
    }
  }
  // The log may have advanced while the lists were empty.
  if (there_is_a_log) log_advanced();
}

}  // namespace slotcar::session
