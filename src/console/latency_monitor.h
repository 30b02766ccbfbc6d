// LatencyMonitor: the calls that took at least `latency-monitor-threshold` milliseconds, as LATENCY
// shows them: for each kind of event its last 160 spikes and the worst of all. Any thread; locked,
// because only slow calls come here. Those that the slow log wants go on to it.
//
// The events are `command` and `fast-command` (those that COMMAND INFO calls fast).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/clock.h"
#include "shard/slow_calls.h"

namespace slotcar::console {

class LatencyMonitor final : public shard::SlowCalls {
 public:
  static constexpr std::size_t kSamplesMax = 160;

  struct Sample {
    std::int64_t unix_seconds = 0;
    std::int64_t milliseconds = 0;

    friend bool operator==(const Sample&, const Sample&) = default;
  };
  struct Event {
    std::string name;
    std::vector<Sample> samples;  // the oldest first, never empty
    std::int64_t worst_ms = 0;    // also of those that are gone
  };

  LatencyMonitor(runtime::Clock& clock, shard::SlowCalls& slow_log)
      : clock_(clock), slow_log_(slow_log) {}

  // How many cycles make a call interesting, to the slow log and here; UINT64_MAX: no number does.
  void set_bounds(std::uint64_t slow_log_cycles, std::uint64_t cycles, double ns_per_cycle);

  void note(const shard::Call& call) override;
  // The spikes of one second are one, as long as the longest.
  void add(std::string_view event, Sample sample);
  std::vector<Event> events() const;  // by name
  std::optional<Event> find(std::string_view event) const;
  // These, or all if none is named. Answers how many were there.
  std::size_t forget(std::span<const std::string_view> events);

 private:
  struct Ring {
    std::array<Sample, kSamplesMax> samples;
    std::uint64_t count = 0;  // ever; the next is at its remainder
    std::int64_t worst_ms = 0;
  };
  static Event shown(const std::string& name, const Ring& ring);

  runtime::Clock& clock_;
  shard::SlowCalls& slow_log_;
  std::atomic<std::uint64_t> slow_log_cycles_{UINT64_MAX};
  std::atomic<std::uint64_t> cycles_{UINT64_MAX};
  std::atomic<double> ns_per_cycle_{1.0};
  mutable std::mutex mutex_;
  std::map<std::string, Ring, std::less<>> rings_;
};

// LATENCY GRAPH: columns of characters, each with how long ago it was, of which the lowest spike
// has the lowest.
std::string latency_graph(const LatencyMonitor::Event& event, std::int64_t now_seconds);
// LATENCY DOCTOR. `threshold_ms` is latency-monitor-threshold.
std::string latency_report(const std::vector<LatencyMonitor::Event>& events,
                           std::int64_t threshold_ms);

}  // namespace slotcar::console
