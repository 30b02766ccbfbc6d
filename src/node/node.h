// Node: one Slotcar process, wired together; several fit in one test process. Commands of the form
// on_node see it.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "acl/auth_limit.h"
#include "acl/users.h"
#include "base/result.h"
#include "cluster/cluster.h"
#include "cluster/topology_source.h"
#include "console/acl_log.h"
#include "console/latency_monitor.h"
#include "console/slow_log.h"
#include "durability/durability.h"
#include "eval/scripts.h"
#include "keyspace/hold.h"
#include "node/listeners.h"
#include "node/loader.h"
#include "node/settings.h"
#include "node/statistics.h"
#include "node/tls.h"
#include "peers/peers.h"
#include "router/router.h"
#include "runtime/clock.h"
#include "runtime/disk.h"
#include "runtime/event_loop.h"
#include "runtime/executor.h"
#include "runtime/log.h"
#include "runtime/random.h"
#include "runtime/shared_memory.h"
#include "schema/registry.h"
#include "session/clients.h"
#include "session/notifier.h"
#include "session/pause.h"
#include "session/services.h"
#include "session/trackers.h"
#include "session/worker.h"
#include "shard/rights.h"
#include "shard/scheduler.h"
#include "shard/shard.h"
#include "shard/slow_lane.h"

namespace slotcar::cluster {
class InboundLinks;
class Links;
}  // namespace slotcar::cluster

namespace slotcar::node {

class Configuration;
class Evictor;
class Expirer;
class MemoryReturner;
class SlotWaker;
class TrackingTrimmer;

// The interfaces to the outside world, real or simulated.
struct Doors {
  runtime::Clock* clock;
  runtime::Random* random;
  runtime::Executor* executor;
  runtime::Disk* disk;
  runtime::Logger* log;
  std::function<Result<std::unique_ptr<runtime::EventLoop>>()> make_loop;
  runtime::SharedMemory* shared_memory = nullptr;  // for the log's buffer; null: none
  runtime::Dial dial = {};                         // to other servers; empty: there are none
  // In addition to the generated table: tests add commands that are slow on purpose.
  std::span<const schema::Command* const> more_commands = {};
};

class Node {
 public:
  // `settings` must outlive the node; the configuration table refers to it.
  Node(Settings& settings, const Doors& doors);
  ~Node();

  // Binds and starts workers, which reply -LOADING to clients. Errors: an address in
  // use...
  Status open();
  // Loads the data, and then serves. Waits for the disk; must not run concurrently with `stop`.
  // After an error only `stop` may be called.
  Status load();
  // Both.
  Status start();
  // Stops accepting, finishes running calls (for a few seconds at most), closes connections, stops
  // the threads. Any thread but the node's own.
  void stop();

  // --- for commands
  // -----------------------------------------------------------------------------------
  Settings& settings() { return settings_; }
  Configuration& configuration() { return *configuration_; }
  const schema::Registry& registry() const { return registry_; }
  const router::Router& router() const { return router_; }
  shard::ShardSet& shards() { return shards_; }
  // Null: there is no cluster (cluster-enabled no).
  cluster::Cluster* cluster() { return settings_.cluster.enabled ? &cluster_ : nullptr; }
  cluster::TopologySource& topology_source() { return *topology_source_; }
  cluster::Links& links() { return *links_; }
  cluster::InboundLinks& inbound_links() { return *inbound_links_; }
  shard::Scheduler& scheduler() { return scheduler_; }
  shard::SlowLane& slow_lane() { return *slow_lane_; }
  peers::Peers& peers() { return peers_; }
  session::Clients& clients() { return clients_; }
  session::Pause& pause() { return pause_; }
  acl::Users& users() { return users_; }
  acl::AuthLimit& auth_limit() { return auth_limit_; }
  console::AclLog& acl_log() { return acl_log_; }
  const shard::Rights& rights() const { return rights_; }
  // aclfile, as a path that can be opened; empty: there is none.
  std::string acl_path() const;
  // ACL LOAD, and the start.
  Status load_acl_file(const acl::Users::OnChange& changed);
  Status save_acl_file();
  durability::Durability& durability() { return *durability_; }
  session::ServerCounters& counters() { return counters_; }
  session::Services& services() { return services_; }
  std::vector<session::Worker*>& workers() { return worker_list_; }
  const pubsub::Directory& directory() const { return directory_; }
  session::Trackers& trackers() { return trackers_; }
  runtime::Clock& clock() { return *doors_.clock; }
  runtime::Disk& disk() { return *doors_.disk; }
  runtime::Logger& log() { return *doors_.log; }
  runtime::Random& random() { return *doors_.random; }

  // All threads that run calls, for summing their counters.
  std::vector<const shard::Thread*> threads() const;

  // The uses of memory that clients can make grow.
  struct MemoryUse {
    std::int64_t dataset = 0;      // keys, values, their tables
    std::int64_t clients = 0;      // buffers and names of connections, replies under way
    std::int64_t tracking = 0;     // which clients have read which keys (CLIENT TRACKING)
    std::int64_t links = 0;        // messages on their way to other nodes
    std::int64_t log_backlog = 0;  // records that are not yet in the file
    std::int64_t sum() const { return dataset + clients + tracking + links + log_backlog; }
  };
  MemoryUse memory_use() const;
  // MEMORY PURGE: free memory is returned to the system within some seconds.
  void return_memory_soon();
  std::int64_t used_memory() const;
  // What `maxmemory` is compared with. As in Redis without the log's backlog: eviction would only
  // add to it, and writes wait when it reaches its own bound.
  std::int64_t memory_for_eviction() const {
    const MemoryUse use = memory_use();
    return use.sum() - use.log_backlog;
  }
  std::int64_t peak_memory() const { return peak_memory_.load(std::memory_order_relaxed); }
  std::uint16_t port() const { return listeners_.port(); }
  const std::string& run_id() const { return run_id_; }
  runtime::Nanos started_monotonic() const { return started_monotonic_; }
  double nanoseconds_per_cycle() const { return nanoseconds_per_cycle_; }

  // SHUTDOWN and signals: the main thread waits for this (`wait_for_shutdown`) and then stops the
  // node.
  void request_shutdown();
  bool shutdown_requested() const { return shutdown_requested_.load(); }
  void set_shutdown_hook(std::function<void()> hook) { shutdown_hook_ = std::move(hook); }

  // CONFIG SET port and bind, on the thread of worker `here`. After an error nothing has changed.
  Status listen_again(session::Worker* here);
  // CONFIG SET tls-...: new certificates and rules for later connections, if they are valid.
  Status configure_tls();
  // CONFIG SET masteruser, masterauth.
  void configure_links();

  // How the node shuts down on request. It saves a snapshot first if the caller wants one, or
  // because `save` rules exist (as in Redis: operators copy the file). Writes wait meanwhile.
  // `done` gets the result; after an error the node keeps running, unless `force`.
  struct Shutdown {
    enum class Save : std::uint8_t { by_rules, yes, no } save = Save::by_rules;
    bool force = false;
  };
  // Whether it saves a snapshot first.
  bool saves_before_end(const Shutdown& how) const;
  void shut_down(const Shutdown& how, std::function<void(const Status&)> done);
  // False: no shutdown is in progress.
  bool abort_shutdown();

  // Baselines set by CONFIG RESETSTAT: what INFO prints is the sum minus these.
  void reset_statistics() { statistics_.reset(*this); }
  Statistics& statistics() { return statistics_; }
  console::SlowLog& slow_log() { return slow_log_; }
  eval::Scripts& scripts() { return *scripts_; }
  console::LatencyMonitor& latency_monitor() { return latency_monitor_; }
  void apply_slow_call_bounds();  // slowlog-log-slower-than, latency-monitor-threshold, as cycles
  void trim_tracking_soon();      // tracking-table-max-keys may have become smaller

 private:
  Status rename_commands();
  Status make_users();
  Status listen_all();
  Status start_cluster();  // node_cluster.cc, as the next five
  Status make_topology_file();
  Status make_topology_etcd();
  void change_topology(cluster::Topology topology);
  peers::Peers::World peers_world();
  void make_links();
  void make_durability();
  void make_scripts();
  void end_pause();
  void worker_ended();
  void on_accept(session::Worker& here, std::unique_ptr<runtime::Incoming> incoming,
                 Listeners::Kind kind);

  Settings& settings_;
  Doors doors_;
  schema::Registry registry_;
  // Before everything that holds values: big ones are handed to it until the last of them is freed.
  std::unique_ptr<shard::SlowLane> slow_lane_;
  shard::ShardSet shards_;
  shard::Scheduler scheduler_;
  cluster::Cluster cluster_;
  router::Router router_;
  acl::Users users_;
  acl::AuthLimit auth_limit_;
  session::Clients clients_;
  pubsub::Directory directory_;
  session::Monitors monitors_;
  session::Trackers trackers_;
  session::Pause pause_;
  session::ServerCounters counters_;
  console::SlowLog slow_log_;
  console::LatencyMonitor latency_monitor_;
  console::AclLog acl_log_;
  std::mutex acl_file_mutex_;  // held while the ACL file is read or replaced
  shard::Rights rights_;
  std::unique_ptr<Evictor> evictor_;
  std::unique_ptr<Expirer> expirer_;
  std::unique_ptr<TrackingTrimmer> tracking_trimmer_;
  std::unique_ptr<MemoryReturner> memory_returner_;
  std::unique_ptr<SlotWaker> slot_waker_;  // null: there is no cluster
  std::unique_ptr<Configuration> configuration_;
  std::unique_ptr<durability::Durability> durability_;
  std::unique_ptr<eval::Scripts> scripts_;
  std::unique_ptr<cluster::TopologySource> topology_source_;  // null: there is no cluster
  peers::Peers peers_;
  std::unique_ptr<cluster::Links> links_;
  std::unique_ptr<cluster::InboundLinks> inbound_links_;
  session::Services services_;
  session::Notifier notifier_{services_};
  Statistics statistics_;
  std::vector<std::unique_ptr<session::Worker>> workers_;
  std::vector<std::unique_ptr<Loader>> loaders_;
  std::vector<session::Worker*> worker_list_;
  Tls tls_;
  Listeners listeners_;
  std::string run_id_;
  runtime::Nanos started_monotonic_ = 0;
  double nanoseconds_per_cycle_ = 1.0;
  mutable std::atomic<std::int64_t> peak_memory_{0};
  // The snapshot's thread takes tokens, and a thread that releases one runs the calls that are
  // queued for it, which are counted there. Null until the data is loaded.
  std::atomic<const shard::Thread*> snapshot_thread_{nullptr};
  std::atomic<std::size_t> next_worker_{0};
  bool running_ = false;  // the workers' loops
  bool stopped_ = false;
  std::atomic<std::size_t> workers_ended_{0};
  std::atomic<bool> shutdown_requested_{false};
  std::atomic<bool> scripts_stopped_{false};  // by SHUTDOWN NOSAVE
  std::atomic<bool> shutdown_saving_{false};  // the snapshot before the end is being written
  std::function<void()> shutdown_hook_;
};

// `save 3600 1 300 100` as rules; the text has been checked.
std::vector<durability::SaveRule> read_save_rules(std::string_view text);

}  // namespace slotcar::node
