// SlowLog: the calls that took longer than `slowlog-log-slower-than`, the newest first, as SLOWLOG
// shows them. Any thread; locked, because only slow calls come here.
//
// Only a part of a call is kept: long arguments and long lists of them are cut, and possible
// passwords are not kept at all.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/setting.h"
#include "runtime/clock.h"
#include "session/clients.h"
#include "shard/call.h"
#include "shard/slow_calls.h"

namespace slotcar::console {

class SlowLog final : public shard::SlowCalls {
 public:
  struct Entry {
    std::int64_t id = 0;
    std::int64_t unix_seconds = 0;
    std::int64_t microseconds = 0;
    std::vector<std::string> words;
    std::string address;
    std::string name;
  };

  // `length_max` is slowlog-max-len; the excess is removed with later entries.
  SlowLog(const session::Clients& clients, runtime::Clock& clock,
          const base::Setting<std::int64_t>& length_max)
      : clients_(clients), clock_(clock), length_max_(length_max) {}

  void set_nanoseconds_per_cycle(double nanoseconds) { nanoseconds_per_cycle_ = nanoseconds; }

  // Threads that log a call wait for the lock, so it is never held for long: entries are shared,
  // not copied, and the thread that takes them frees them.
  using Entries = std::deque<std::shared_ptr<const Entry>>;

  void note(const shard::Call& call) override;
  Entries newest(std::size_t count) const;
  std::size_t length() const;
  Entries take();  // none is left

 private:
  const session::Clients& clients_;
  runtime::Clock& clock_;
  const base::Setting<std::int64_t>& length_max_;
  double nanoseconds_per_cycle_ = 1.0;
  mutable std::mutex mutex_;
  std::int64_t next_id_ = 0;
  Entries entries_;
};

}  // namespace slotcar::console
