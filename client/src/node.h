// Node: one server and all connections to it: the lanes of every group, the exclusive connections,
// or, in pooled mode, a pool per group. Lives as long as the client.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "exclusive_pool.h"
#include "lane_set.h"
#include "slotcar/options.h"

namespace slotcar::client {

// Is notified of a node's failures (then the sentinels are asked, or the cluster's map is
// refreshed).
class NodeWatcher {
 public:
  virtual ~NodeWatcher() = default;
  virtual void on_node_trouble(Node& node) = 0;  // any I/O thread
};

// The shared parts of all nodes.
struct NodeParts {
  const Options& options;
  const ConnectionRules& connection;
  CallSink& sink;
  NodeWatcher& watcher;
  Resolver& resolver;
  const std::vector<std::unique_ptr<IoThread>>& threads;
};

class Node final : public Locator {
 public:
  Node(const NodeParts& parts, std::optional<Endpoint> endpoint, bool read_only);
  ~Node() override;

  void open();  // any thread
  // The server has a new address: all connections follow.
  void move_to(const Endpoint& endpoint);

  // Sends the call to a lane, or to a connection of its own. False: there is no such group.
  bool dispatch(Call& call, std::string_view key);
  // Null: no such group, or no lanes in this mode.
  Lane* choose_lane(const Call& call, std::string_view key);
  ExclusivePool& exclusive() { return *exclusive_; }

  std::optional<Endpoint> locate() override;
  void on_trouble(const Error& why) override;
  std::string last_trouble() const;
  std::string name() const;

  // On `thread`: the connections of that thread.
  bool cancel(IoThread& thread, std::uint64_t id);
  // False: a lane is lent; call again.
  bool fail_all(IoThread& thread, const Error& why);
  // The node has left its cluster: closed connections are not opened again before the next call.
  // Returns the calls that waited for a connection, to be routed again.
  std::deque<Call*> rest_if_down(IoThread& thread);

  const std::vector<std::unique_ptr<LaneSet>>& groups() const { return groups_; }
  LaneSet* group(std::string_view name) const;
  bool read_only() const { return read_only_; }
  std::int64_t under_way() const;
  std::int64_t waiting() const;
  std::int64_t exclusive_open() const;
  std::int64_t pooled_up() const;  // pooled mode: connected, and to be connected
  std::int64_t pooled_max() const;
  bool all_up() const;
  bool any_up() const;

 private:
  HandshakeRules handshake(std::optional<std::uint32_t> lane) const;
  void make_group(const NodeParts& parts, const LaneGroup& group, std::uint32_t& number);

  const Options& options_;
  CallSink& sink_;
  NodeWatcher& watcher_;
  const std::vector<std::unique_ptr<IoThread>>& threads_;
  bool read_only_;
  mutable std::mutex mutex_;  // of the two below
  std::optional<Endpoint> endpoint_;
  std::string last_trouble_;
  std::vector<std::unique_ptr<LaneSet>> groups_;
  std::vector<std::unique_ptr<ExclusivePool>> pools_;  // pooled mode: one per group
  std::unique_ptr<ExclusivePool> exclusive_;
};

}  // namespace slotcar::client
