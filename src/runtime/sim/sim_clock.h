// The simulated clock. The world moves it: by a small seeded cost after every step, and to the next
// timer or arrival when no thread has work. *Reading* it also takes a little time, as in reality,
// so a loop that waits for a deadline ends, and a bound such as "at most 50 us of queued calls" can
// be reached in the middle of a step. A seeded hiccup now and then simulates a preemption between
// two readings.
#pragma once

#include "runtime/clock.h"
#include "runtime/sim/sim_random.h"

namespace slotcar::runtime {

struct SimClockOptions {
  Nanos read_cost = 20;
  std::uint32_t hiccup_ppm = 500;
  Nanos hiccup_max = 200'000;
  std::int64_t unix_start_us = 1'700'000'000'000'000;  // fixed, so that runs repeat
};

class SimClock final : public Clock {
 public:
  SimClock(std::uint64_t seed, const SimClockOptions& options)
      : Clock(Cycles::own),
        options_(options),
        dice_(seed),
        unix_minus_monotonic_us_(options.unix_start_us) {}

  Nanos monotonic() const override {
    read();
    return now_;
  }
  std::int64_t unix_us() const override {
    read();
    return unix_minus_monotonic_us_ + now_ / 1000;
  }

  double nanoseconds_per_cycle() const override { return 1; }

  // For the world and for tests: reading that does not move it.
  Nanos peek() const { return now_; }
  std::int64_t peek_unix_us() const { return unix_minus_monotonic_us_ + now_ / 1000; }

  void advance(Nanos by) {
    ASSERT(by >= 0);
    now_ += by;
  }
  // The machine's wall clock was set; the monotonic clock does not change.
  void step_wall_clock(std::int64_t by_us) { unix_minus_monotonic_us_ += by_us; }

 private:
  // Counting costs nothing, so that statistics change nothing.
  std::uint64_t own_cycles() const override { return static_cast<std::uint64_t>(now_); }
  void read() const {
    now_ += options_.read_cost;
    if (dice_.happens(options_.hiccup_ppm)) now_ += dice_.between(0, options_.hiccup_max);
  }

  SimClockOptions options_;
  // Reading is const to the reader and yet takes time: see above.
  mutable SimDice dice_;
  mutable Nanos now_ = kSecond;
  std::int64_t unix_minus_monotonic_us_;
};

}  // namespace slotcar::runtime
