// What Durability does by itself, on the loop of the snapshots: snapshots that are due, and log
// buffers of servers that have ended.
#include <algorithm>

#include "durability/durability.h"

namespace slotcar::durability {

using runtime::kMillisecond;
using runtime::kSecond;

namespace {

constexpr runtime::Nanos kTick = 100 * kMillisecond;
constexpr runtime::Nanos kOrphanStep = 5 * kMillisecond;
constexpr runtime::Nanos kRetryAfterFailure = 5 * kSecond;  // as Redis

}  // namespace

void Durability::tick() {
  if (const auto why = due())
    static_cast<void>(ask(*why, Pace::gentle, false, [](const Status&) {}));
  loop_->arm(tick_, world_.clock->monotonic() + kTick);
}

// A little at a time, between the loop's other work.
void Durability::look_at_orphans() {
  if (orphans_->step()) {
    loop_->arm(orphans_timer_, world_.clock->monotonic() + kOrphanStep);
    return;
  }
  if (orphans_->removed() + orphans_->left() > 0) {
    world_.log->notice(
        "log buffers of servers that have ended and whose directories are gone: {} removed, {} "
        "left because they hold records",
        orphans_->removed(), orphans_->left());
  }
  orphans_.reset();
}

// Whether a rule, or the growth of the log, asks for a snapshot.
std::optional<Durability::Why> Durability::due() const {
  const Numbers now = numbers();
  std::lock_guard lock(mutex_);
  if (!running_.empty() || !waiting_.empty()) return std::nullopt;
  const bool failed_lately =
      !numbers_.last_save_ok && world_.clock->monotonic() - last_try_ < kRetryAfterFailure;
  if (failed_lately) return std::nullopt;
  // Switching the log on or off takes effect with a snapshot: it is tried until one does.
  if (switching_.load()) return Why::switched;
  const std::int64_t age = (world_.clock->unix_ms() - last_save_) / 1000;
  for (const SaveRule& rule : rules_) {
    if (now.changes_since_save >= rule.changes && age >= rule.seconds) return Why::rule;
  }
  const std::int64_t percentage = settings_.rewrite_percentage.get();
  const std::uint64_t base = base_ ? base_->size : 0;
  const bool grown =
      now.log_on && percentage > 0 &&
      now.log_bytes >= static_cast<std::uint64_t>(settings_.rewrite_bytes_min.get()) &&
      now.log_bytes * 100 >= base * static_cast<std::uint64_t>(percentage);
  if (grown) return Why::rewrite;
  return std::nullopt;
}

}  // namespace slotcar::durability
