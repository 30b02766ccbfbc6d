// Metrics of a client, as numbers and as Prometheus text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace slotcar::client {

// up: every lane of every node is connected. down: none is. degraded: anything between. In pooled
// mode the pool's connections count as lanes.
enum class Health { up, degraded, down };

struct LaneMetrics {
  std::string node;   // "127.0.0.1:6379"
  std::string group;  // "" is the default group
  std::uint32_t lane = 0;
  bool up = false;
  std::uint64_t selections = 0;
  std::int64_t in_flight = 0;
  std::int64_t pending_bytes = 0;
  double latency_ms = 0;  // moving average
  std::uint64_t reconnects = 0;
};

struct CommandLatency {
  std::string command;
  std::uint64_t calls = 0;
  struct Percentile {
    double fraction;  // 0.95
    double microseconds;
  };
  std::vector<Percentile> percentiles;
};

struct Metrics {
  Health health = Health::down;
  std::int64_t pool_active = 0;           // lanes connected now; pooled mode: connections
  std::int64_t pool_total = 0;            // connections open now, of any purpose
  std::int64_t pool_max = 0;              // lanes to be connected, over all nodes and groups
  std::int64_t pool_waiting_threads = 0;  // calls that wait for a connection of their own
  std::uint64_t pool_commands_dispatched = 0;
  std::int64_t pool_pubsub_connections = 0;
  std::uint64_t timeouts = 0;
  std::uint64_t cancelled = 0;
  std::uint64_t outcome_unknown = 0;
  std::uint64_t retried = 0;
  std::uint64_t redirected = 0;
  std::uint64_t exceptions = 0;  // thrown by callbacks, see Options::on_exception
  std::vector<LaneMetrics> lanes;
  std::vector<CommandLatency> commands;  // only with Options::command_latency
  std::string strategy;                  // of the default group
  std::string mode;
  std::string latency_metric;

  // redis_pool_active, redis_pool_total...
  std::string prometheus() const;
};

}  // namespace slotcar::client
