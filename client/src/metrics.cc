#include "slotcar/metrics.h"

#include <fmt/format.h>

namespace slotcar::client {
namespace {

// Escapes a label's value for the text format.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

// Dots and dashes of a configured name are not allowed by Prometheus.
std::string metric_name(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
                      (c >= '0' && c <= '9' && !out.empty());
    out += good ? c : '_';
  }
  return out;
}

void one(std::string& out, std::string_view name, std::string_view type, std::string_view help,
         std::string_view labels, double value) {
  out += fmt::format("# HELP {} {}\n# TYPE {} {}\n{}{{{}}} {}\n", name, help, name, type, name,
                     labels, value);
}

void per_lane(std::string& out, const Metrics& metrics, std::string_view name,
              std::string_view type, std::string_view help, double (*read)(const LaneMetrics&)) {
  out += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
  for (const LaneMetrics& lane : metrics.lanes) {
    out += fmt::format("{}{{node=\"{}\",group=\"{}\",lane=\"{}\"}} {}\n", name, escaped(lane.node),
                       escaped(lane.group), lane.lane, read(lane));
  }
}

}  // namespace

std::string Metrics::prometheus() const {
  std::string out;
  const std::string labels =
      fmt::format("strategy=\"{}\",lane_strategy=\"{}\"", escaped(mode), escaped(strategy));
  const auto gauge = [&](std::string_view name, std::string_view help, std::int64_t value) {
    one(out, name, "gauge", help, labels, static_cast<double>(value));
  };
  const auto counter = [&](std::string_view name, std::string_view help, std::uint64_t value) {
    one(out, name, "counter", help, labels, static_cast<double>(value));
  };
  gauge("redis_pool_active", "Lanes connected.", pool_active);
  gauge("redis_pool_total", "Connections open.", pool_total);
  gauge("redis_pool_max", "Lanes configured.", pool_max);
  gauge("redis_pool_waiting_threads", "Calls waiting for a connection of their own.",
        pool_waiting_threads);
  counter("redis_pool_commands_dispatched", "Calls given to a connection.",
          pool_commands_dispatched);
  gauge("redis_pool_pubsub_connections", "Subscriber connections.", pool_pubsub_connections);
  counter("redis_pool_exceptions", "Exceptions thrown by callbacks.", exceptions);
  counter("redis_pool_timeouts", "Calls without an answer in time.", timeouts);
  counter("redis_pool_cancelled", "Calls cancelled.", cancelled);
  counter("redis_pool_outcome_unknown", "Calls lost with their connection.", outcome_unknown);
  counter("redis_pool_retried", "Calls sent again that had not run.", retried);
  counter("redis_pool_redirected", "Redirects followed.", redirected);
  gauge("redis_pool_health", "0 down, 1 degraded, 2 up.",
        health == Health::up         ? 2
        : health == Health::degraded ? 1
                                     : 0);
  per_lane(out, *this, "redis_pool_lane_selections", "counter", "Calls given to the lane.",
           [](const LaneMetrics& lane) { return static_cast<double>(lane.selections); });
  per_lane(out, *this, "redis_pool_lane_in_flight", "gauge", "Calls not yet answered.",
           [](const LaneMetrics& lane) { return static_cast<double>(lane.in_flight); });
  per_lane(out, *this, "redis_pool_lane_up", "gauge", "1 if connected.",
           [](const LaneMetrics& lane) { return lane.up ? 1.0 : 0.0; });
  if (commands.empty()) return out;
  const std::string name = metric_name(latency_metric);
  out += fmt::format("# HELP {} Time from submission to answer.\n# TYPE {} gauge\n", name, name);
  for (const CommandLatency& command : commands) {
    for (const CommandLatency::Percentile& percentile : command.percentiles) {
      out += fmt::format("{}{{command=\"{}\",percentile=\"{}\",unit=\"MICROSECONDS\"}} {}\n", name,
                         escaped(command.command), percentile.fraction, percentile.microseconds);
    }
  }
  return out;
}

}  // namespace slotcar::client
