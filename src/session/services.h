// What a session needs of its node, by reference. Made once by the node.
#pragma once

#include "durability/durability.h"
#include "keyspace/hold.h"
#include "pubsub/directory.h"
#include "router/router.h"
#include "runtime/log.h"
#include "session/clients.h"
#include "session/monitors.h"
#include "session/pause.h"
#include "session/settings.h"
#include "session/trackers.h"
#include "shard/scheduler.h"
#include "shard/slow_lane.h"

namespace slotcar::session {

class Worker;

// Whether there is room for a command that may grow the data set; makes room by evicting.
class MemoryGate {
 public:
  virtual ~MemoryGate() = default;
  virtual bool limited() const = 0;                   // maxmemory is set
  virtual bool make_room(shard::Thread& thread) = 0;  // false: over the limit, nothing to evict
  // maxmemory-clients in bytes; 0: none.
  virtual std::int64_t client_memory_max() const = 0;
};

struct ServerCounters {
  std::atomic<std::int64_t> connections_received{0};
  std::atomic<std::int64_t> connections_rejected{0};
  std::atomic<std::int64_t> paused_now{0};   // clients that wait for the end of a CLIENT PAUSE
  std::atomic<std::int64_t> waiting_now{0};  // clients whose call waits for keys
  std::atomic<std::int64_t> output_limit_disconnections{0};
  std::atomic<std::int64_t> query_buffer_limit_disconnections{0};
  std::atomic<std::int64_t> clients_evicted{0};
};

struct Services {
  shard::Scheduler* scheduler;
  shard::SlowLane* slow_lane;
  const router::Router* router;
  Clients* clients;
  Pause* pause;
  SessionSettings* settings;
  MemoryGate* memory;
  ServerCounters* counters;
  runtime::Logger* log;
  node::Node* node;  // handed on to commands of the form on_node; opaque here
  std::vector<Worker*>* workers;
  pubsub::Directory* directory;
  Monitors* monitors;
  Trackers* trackers;
  const durability::Durability* durability;
};

}  // namespace slotcar::session
