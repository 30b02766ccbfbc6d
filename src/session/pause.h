// CLIENT PAUSE: a time until which no command (or no write) is started anywhere.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/ids.h"

namespace slotcar::session {

enum class PauseKind : std::uint8_t { none, write, all };

class Pause {
 public:
  // The longer end and the stronger kind win while a pause is on, as in Redis.
  void begin(PauseKind kind, UnixMs until, UnixMs now) {
    if (active(now)) {
      if (until > until_.load()) until_.store(until);
      if (kind == PauseKind::all) kind_.store(kind);
      return;
    }
    kind_.store(kind);
    until_.store(until);
  }
  void end() { until_.store(0); }

  bool active(UnixMs now) const { return now < until_.load(std::memory_order_relaxed); }
  UnixMs until() const { return until_.load(); }
  const std::atomic<UnixMs>& until_cell() const { return until_; }
  PauseKind kind() const { return kind_.load(); }

 private:
  std::atomic<UnixMs> until_{0};
  std::atomic<PauseKind> kind_{PauseKind::none};
};

}  // namespace slotcar::session
