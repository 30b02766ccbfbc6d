// Loader: the context of a thread that loads the data at start (shard/thread.h). Afterwards only
// its counters are used: they contain what it has loaded.
#pragma once

#include <cstdint>

#include "runtime/clock.h"
#include "shard/thread.h"

namespace slotcar::node {

// Called for each key, but reads the clock only now and then, as a worker's time is that of its
// turn.
class LoadingClock final : public runtime::Clock {
 public:
  explicit LoadingClock(const runtime::Clock& clock) : Clock(Cycles::own), clock_(clock) {}
  runtime::Nanos monotonic() const override { return clock_.monotonic(); }
  std::int64_t unix_us() const override {
    if (asked_++ % kLooksApart == 0) seen_ = clock_.unix_us();
    return seen_;
  }
  double nanoseconds_per_cycle() const override { return clock_.nanoseconds_per_cycle(); }

 private:
  std::uint64_t own_cycles() const override { return clock_.cycles(); }

  static constexpr std::uint32_t kLooksApart = 64;
  const runtime::Clock& clock_;
  mutable std::uint32_t asked_ = 0;
  mutable std::int64_t seen_ = 0;
};

struct Loader {
  Loader(runtime::TaskRunner& runner, const runtime::Clock& real, std::uint64_t random_seed,
         std::size_t command_count)
      : clock(real), thread(runner, clock, random_seed, command_count) {}

  LoadingClock clock;
  shard::Thread thread;
};

}  // namespace slotcar::node
