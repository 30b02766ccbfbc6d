#include "console/latency_monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shard/call.h"

namespace slotcar::console {

using Event = LatencyMonitor::Event;
using Sample = LatencyMonitor::Sample;

void LatencyMonitor::set_bounds(std::uint64_t slow_log_cycles, std::uint64_t cycles,
                                double ns_per_cycle) {
  ns_per_cycle_.store(ns_per_cycle, std::memory_order_relaxed);
  slow_log_cycles_.store(slow_log_cycles, std::memory_order_relaxed);
  cycles_.store(cycles, std::memory_order_relaxed);
}

void LatencyMonitor::note(const shard::Call& call) {
  const std::uint64_t cycles = call.schedule().cycles;
  if (cycles >= slow_log_cycles_.load(std::memory_order_relaxed)) slow_log_.note(call);
  const bool internal = call.caller().client == ClientId{};
  if (internal || cycles < cycles_.load(std::memory_order_relaxed)) return;
  const double ns = static_cast<double>(cycles) * ns_per_cycle_.load(std::memory_order_relaxed);
  const bool fast = has(call.command().command->access, schema::Access::fast);
  add(fast ? "fast-command" : "command",
      {clock_.unix_ms() / 1000, static_cast<std::int64_t>(ns / 1e6)});
}

void LatencyMonitor::add(std::string_view event, Sample sample) {
  std::lock_guard lock(mutex_);
  auto found = rings_.find(event);
  if (found == rings_.end()) found = rings_.emplace(std::string(event), Ring()).first;
  Ring& ring = found->second;
  ring.worst_ms = std::max(ring.worst_ms, sample.milliseconds);
  if (ring.count > 0) {
    Sample& last = ring.samples[(ring.count - 1) % kSamplesMax];
    if (last.unix_seconds == sample.unix_seconds) {
      last.milliseconds = std::max(last.milliseconds, sample.milliseconds);
      return;
    }
  }
  ring.samples[ring.count++ % kSamplesMax] = sample;
}

Event LatencyMonitor::shown(const std::string& name, const Ring& ring) {
  Event event{.name = name, .samples = {}, .worst_ms = ring.worst_ms};
  const std::uint64_t kept = std::min<std::uint64_t>(ring.count, kSamplesMax);
  for (std::uint64_t i = ring.count - kept; i < ring.count; ++i) {
    event.samples.push_back(ring.samples[i % kSamplesMax]);
  }
  return event;
}

std::vector<Event> LatencyMonitor::events() const {
  std::lock_guard lock(mutex_);
  std::vector<Event> all;
  for (const auto& [name, ring] : rings_) all.push_back(shown(name, ring));
  return all;
}

std::optional<Event> LatencyMonitor::find(std::string_view event) const {
  std::lock_guard lock(mutex_);
  const auto found = rings_.find(event);
  if (found == rings_.end()) return std::nullopt;
  return shown(found->first, found->second);
}

std::size_t LatencyMonitor::forget(std::span<const std::string_view> events) {
  std::lock_guard lock(mutex_);
  std::size_t count = events.empty() ? rings_.size() : 0;
  if (events.empty()) rings_.clear();
  for (const std::string_view event : events) {
    const auto found = rings_.find(event);
    if (found == rings_.end()) continue;
    rings_.erase(found);
    ++count;
  }
  return count;
}

// --- LATENCY GRAPH -----------------------------------------------------------------------------

namespace {

constexpr std::size_t kColumns = 80;
constexpr int kRows = 4;
// From low to high within a row; what is above the row fills it.
constexpr std::string_view kLevels = "_o#";
constexpr char kFull = '|';

std::string age_of(std::int64_t seconds) {
  constexpr std::int64_t kMinute = 60;
  constexpr std::int64_t kHour = 60 * kMinute;
  constexpr std::int64_t kDay = 24 * kHour;
  if (seconds < kMinute) return fmt::format("{}s", seconds);
  if (seconds < kHour) return fmt::format("{}m", seconds / kMinute);
  if (seconds < kDay) return fmt::format("{}h", seconds / kHour);
  return fmt::format("{}d", seconds / kDay);
}

struct Column {
  int level = 0;  // from the bottom, of all rows
  std::string label;
};

// The bars, an empty line, and the labels from top to bottom.
void draw(std::span<const Column> columns, std::string& out) {
  const int levels = static_cast<int>(kLevels.size());
  for (int row = kRows - 1; row >= 0; --row) {
    for (const Column& column : columns) {
      const int level = column.level - row * levels;
      out += level < 0 ? ' ' : level < levels ? kLevels[static_cast<std::size_t>(level)] : kFull;
    }
    out += '\n';
  }
  out.append(columns.size(), ' ') += '\n';
  std::size_t longest = 0;
  for (const Column& column : columns) longest = std::max(longest, column.label.size());
  for (std::size_t i = 0; i < longest; ++i) {
    for (const Column& column : columns) out += i < column.label.size() ? column.label[i] : ' ';
    out += '\n';
  }
}

}  // namespace

std::string latency_graph(const Event& event, std::int64_t now_seconds) {
  const auto [low, high] =
      std::ranges::minmax(event.samples, {}, [](const Sample& one) { return one.milliseconds; });
  const std::int64_t range = std::max<std::int64_t>(high.milliseconds - low.milliseconds, 1);
  constexpr int kSteps = kRows * static_cast<int>(kLevels.size());
  std::vector<Column> columns;
  for (const Sample& sample : event.samples) {
    const std::int64_t above = sample.milliseconds - low.milliseconds;
    const auto level = static_cast<int>(std::min<std::int64_t>(above * kSteps / range, kSteps - 1));
    columns.push_back({level, age_of(now_seconds - sample.unix_seconds)});
  }
  std::string out =
      fmt::format("{} - high {} ms, low {} ms (all time high {} ms)\n{}\n", event.name,
                  high.milliseconds, low.milliseconds, event.worst_ms, std::string(kColumns, '-'));
  for (std::size_t first = 0; first < columns.size(); first += kColumns) {
    if (first != 0) out += '\n';
    draw(std::span(columns).subspan(first, std::min(kColumns, columns.size() - first)), out);
  }
  return out;
}

// --- LATENCY DOCTOR ----------------------------------------------------------------------------

std::string latency_report(const std::vector<Event>& events, std::int64_t threshold_ms) {
  if (events.empty() && threshold_ms == 0) {
    return "Latency monitoring is off. CONFIG SET latency-monitor-threshold <milliseconds> "
           "switches it on.\n";
  }
  if (events.empty()) return "No latency spike was observed.\n";
  std::string out = "Latency spikes were observed:\n\n";
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    const auto count = static_cast<std::int64_t>(event.samples.size());
    std::int64_t sum = 0;
    for (const Sample& sample : event.samples) sum += sample.milliseconds;
    const std::int64_t average = sum / count;
    std::int64_t deviations = 0;
    for (const Sample& sample : event.samples) {
      deviations += std::abs(sample.milliseconds - average);
    }
    const std::int64_t seconds =
        event.samples.back().unix_seconds - event.samples.front().unix_seconds;
    const double period =
        static_cast<double>(std::max<std::int64_t>(seconds, 1)) / static_cast<double>(count);
    out += fmt::format(
        "{}. {}: {} latency spikes (average {}ms, mean deviation {}ms, period {:.2f} sec). Worst "
        "all time event {}ms.\n",
        i + 1, event.name, count, average, deviations / count, period, event.worst_ms);
  }
  out +=
      "\nSLOWLOG GET shows which calls they were, if slowlog-log-slower-than is low enough. INFO "
      "stats\nshows the longest hold and the longest turn of a thread.\n";
  return out;
}

}  // namespace slotcar::console
