// Services: what a session needs of its node, by reference. The node makes one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "acl/users.h"
#include "cluster/lease.h"
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
#include "shard/rights.h"
#include "shard/scheduler.h"
#include "shard/slow_lane.h"

namespace slotcar::cluster {
class Links;
}

namespace slotcar::session {

class Worker;

// Whether there is room for a command that may grow the data set; makes room by evicting.
class MemoryGate {
 public:
  virtual ~MemoryGate() = default;
  virtual bool limited() const = 0;  // maxmemory is set
  // `none`: over the limit, and nothing to evict. `busy`: the tokens of all that might go are held
  // by others.
  enum class Room : std::uint8_t { there, none, busy };
  virtual Room make_room(shard::Thread& thread) = 0;
  // Makes room as a call that waits for its tokens, then calls `made` on the worker's thread.
  virtual void make_room_later(Worker& worker, std::function<void()> made) = 0;
  // What one reply may take where no output limit is set.
  virtual std::size_t reply_bytes_max() const = 0;
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
  // Of replies that calls under way have begun, and of what connections have given up and is not
  // freed yet.
  std::atomic<std::int64_t> reply_memory{0};
};

// Of a node of a cluster.
struct ClusterServices {
  // Until when anything may be sent to clients; null: there is no such time.
  const cluster::Lease* lease = nullptr;
  // To the subscribers of other nodes; null: there are none.
  cluster::Links* links = nullptr;
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
  acl::Users* users;
  const shard::Rights* rights;
  // Whether a script, of EVAL or FCALL, says that it does not write.
  std::function<bool(const shard::Call&)> script_only_reads = {};
  std::uint64_t turn_share_cycles = UINT64_MAX;  // limits::kTurnShareNs
  ClusterServices cluster = {};
};

}  // namespace slotcar::session
