// SimNode: a whole node in a simulated world (runtime/sim/sim_world.h), from a seed: one real
// thread, no real time, and a failing seed repeats exactly.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "node/node.h"
#include "resp/reply_parser.h"
#include "runtime/log.h"
#include "runtime/sim/sim_client.h"
#include "runtime/sim/sim_disk.h"
#include "runtime/sim/sim_executor.h"
#include "runtime/sim/sim_network.h"
#include "runtime/sim/sim_world.h"
#include "world/hold_bound.h"
#include "world/shadow.h"
#include "world/world.h"

namespace slotcar::world {

struct SimNodeOptions {
  std::uint32_t workers = 4;
  std::uint32_t shards = 64;
  std::uint32_t slow_lane_threads = 2;
  std::uint32_t pause_ppm = runtime::SimExecutor::kPausePpmDefault;
  runtime::SimOptions sim = {};
  runtime::SimNetworkOptions network = {};
  std::vector<const schema::Command*> more_commands = {};
  std::string directory = {};  // of its log, on the simulated disk; empty: no persistence
  bool appendonly = true;      // with a directory: whether there is a log, or only snapshots
  bool shadowed = false;       // a shadow applies and compares all records (SimNodeWorld)
};

class SimNode {
 public:
  explicit SimNode(std::uint64_t seed, const SimNodeOptions& options = {});
  ~SimNode();  // stops it

  node::Node& node() { return *node_; }
  runtime::SimWorld& world() { return world_; }
  runtime::SimNetwork& network() { return network_; }
  runtime::SimDisk& disk() { return disk_; }
  runtime::SimPauses& pauses() { return executor_.sim_pauses(); }

  std::unique_ptr<runtime::SimClient> connect() { return network_.connect(node_->port()); }
  // Drives the world until every connection has ended and all threads have stopped.
  void stop() { node_->stop(); }
  // Stops it and makes a new node on the same disk, with the same configuration but for `changes`
  // (names and values, immutable ones too).
  using Changes = std::vector<std::pair<std::string, std::string>>;
  Status restart(const Changes& changes = {});

 private:
  void make(const Changes& changes);

  runtime::SimWorld world_;
  runtime::SimNetwork network_;
  runtime::SimDisk disk_;
  runtime::SimExecutor executor_;
  SimNodeOptions options_;
  runtime::NullLogger log_;
  HoldBound hold_bound_;
  std::unique_ptr<node::Settings> settings_;
  std::unique_ptr<node::Node> node_;
};

// A World that steps its simulation while it waits for a reply.
class SimNodeWorld final : public World {
 public:
  explicit SimNodeWorld(std::uint64_t seed, const SimNodeOptions& options = {})
      : sim_(seed, options), saves_(!options.appendonly) {
    if (options.shadowed) shadow_ = std::make_unique<Shadow>(node());
  }

  SimNode& sim() { return sim_; }

  node::Node& node() override { return sim_.node(); }
  void send(std::string_view connection, std::string_view bytes) override;
  Answer receive(std::string_view connection) override;
  void let_pass(runtime::Nanos duration) override;
  void disconnect(std::string_view connection) override;
  bool disconnect_all() override;
  // Without a log a snapshot is made first.
  Status restart() override;
  std::vector<std::string> take_complaints() override;
  Shadow* shadow() { return shadow_.get(); }

 private:
  struct Connection {
    std::unique_ptr<runtime::SimClient> client;
    resp::ReplyParser parser;
  };
  Connection& connection(std::string_view name);

  SimNode sim_;
  bool saves_;
  std::unique_ptr<Shadow> shadow_;
  std::map<std::string, Connection, std::less<>> connections_;
};

}  // namespace slotcar::world
