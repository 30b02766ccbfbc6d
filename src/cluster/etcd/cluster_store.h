// ClusterStore: a cluster's state in etcd and what one node does with it (docs/formats/etcd.md). No
// thread, no clock but one for what was forgotten: each function asks etcd and returns.
//
//     PREFIX/members/ID    a node that lives: its record, under its lease
//     PREFIX/nodes/ID      the cluster that a node founded, and the one that it had left before
//     PREFIX/clusters/ID   a topology, or "merged ID" where it has become part of another cluster
//
// A node is in the cluster that its key in nodes/ leads to, over any merges. If the topology there
// does not name it, it was removed, and founds a cluster of its own. Each change is one transaction
// that compares the revision of the topologies it was made from, and that this node's record is
// still its own.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cluster/etcd/etcd_client.h"
#include "cluster/etcd/member_record.h"
#include "cluster/etcd/node_file.h"
#include "cluster/topology.h"
#include "cluster/topology_change.h"
#include "runtime/clock.h"
#include "runtime/log.h"
#include "runtime/random.h"

namespace slotcar::cluster {

class ClusterStore {
 public:
  struct World {
    EtcdClient* etcd;
    runtime::Random* random;
    runtime::Clock* clock;
    runtime::Logger* log;
  };
  ClusterStore(World world, std::string prefix, NodeFile file, MemberRecord self);

  const std::string& self_id() const { return self_.member.id; }
  const std::string& prefix() const { return prefix_; }

  // The id from the file, or else the wanted one, or else a new one.
  Status identify(const std::string& wanted_id);
  // An error: this node cannot be named in a topology.
  Status check_self() const;
  // Where clients reach this node, before `enter`.
  void set_endpoint(Endpoint endpoint) { self_.member.endpoint = std::move(endpoint); }

  // Puts this node's record under the lease. An error if another process lives with this id.
  Status enter(std::int64_t lease);
  bool has_entered() const { return record_revision_ != 0; }

  // The topology of now, linearizable. The view stays here for the functions below.
  struct View {
    std::int64_t revision = 0;      // of the store
    std::int64_t mod_revision = 0;  // of the topology
    Topology topology;              // which members live is marked
    std::map<std::string, MemberRecord> live;
  };
  Result<const View*> read();
  const View& view() const { return view_; }

  // Makes the change, or says why not. Reads first, and again after others were faster.
  ChangeAnswer change(const TopologyChange& change);

  // The topology of the last `read` is followed by this node: lets fences fall that are of nodes
  // that do not live and keep slots from this node, or are of slots that nobody has; and this
  // node's own, if it `confirms`: no call runs here any more that began when it had the slots.
  // True: something was done.
  Result<bool> drop_fences(bool confirms);

 private:
  struct Found {  // a topology, at the end of merges
    std::string cluster;
    std::int64_t mod_revision = 0;
    Topology topology;
  };
  // Nothing: there is no such cluster.
  Result<std::optional<Found>> find_cluster(std::string cluster);
  Result<bool> read_once();  // false: something else must be read first
  Status take_topology(const std::string& text, std::int64_t mod_revision);
  Status found_cluster(const std::string& left);
  Status correct_endpoint();
  Status remember(std::uint64_t epoch);
  Result<bool> drop_fences_in(const std::string& cluster, std::int64_t mod_revision,
                              const Topology& topology, bool confirms);

  // All writes. What no node could read is not written: all nodes would be without a topology.
  Result<EtcdOutcome> run(const EtcdTransaction& transaction) const;
  Status check(const EtcdTransaction& transaction) const;

  // One try each. Nothing: others were faster.
  using Try = Result<std::optional<std::string>>;
  Try try_change(const TopologyChange& change);
  Try try_meet(const TopologyChange& change);
  Try try_reset(const TopologyChange& change);
  Try write(EtcdTransaction transaction, std::string answer);

  std::string member_key(std::string_view id) const { return key("members/", id); }
  std::string node_key(std::string_view id) const { return key("nodes/", id); }
  std::string cluster_key(std::string_view id) const { return key("clusters/", id); }
  std::string key(std::string_view folder, std::string_view id) const {
    return prefix_ + std::string(folder) + std::string(id);
  }

  const World world_;
  const std::string prefix_;
  NodeFile file_;
  MemberRecord self_;
  std::uint64_t epoch_ = 0;           // the highest that was seen
  std::int64_t record_revision_ = 0;  // of this node's record; 0: it is not there
  std::int64_t lease_ = 0;
  std::string home_;  // what nodes/ID says; empty: not read yet, or nothing
  std::int64_t home_revision_ = 0;
  std::string cluster_;  // where home_ leads to
  View view_;
  std::string left_;  // a cluster that this node was in before, and has perhaps not confirmed to
  // Before RESET HARD. Its record stays until this node serves nothing under that id, because it
  // keeps the fences of that id.
  std::string former_id_;
  std::map<std::string, runtime::Nanos> forgotten_;  // members that went, and when
};

}  // namespace slotcar::cluster
