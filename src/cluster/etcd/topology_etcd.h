// TopologyEtcd: a topology in etcd, which commands of any node change (cluster_store.h), and the
// lease under which this node serves (cluster/lease.h).
//
// Two threads. One talks to etcd, one request after the other: it prolongs the lease every third of
// its time, reads the topology after each prolongation and whenever the other thread says so, and
// makes the changes that commands propose. The other one only watches: its stream of events says
// that something has changed, not what; a new read is always the truth. So a lost or compacted
// event delays a change until the next prolongation, and no more.
//
// A node confirms that it has lost slots when it has published the topology that took them, and the
// calls that began before that have ended (World::settle).
//
// The deadline of the lease moves only after a read: a node that was cut off knows what it has lost
// before it serves again. If etcd has ended the lease, all connections of before are closed (a new
// term, cluster/lease.h), the node gets a new one, and only then serves what is still its own.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "cluster/etcd/cluster_store.h"
#include "cluster/etcd/etcd_client.h"
#include "cluster/lease.h"
#include "cluster/topology_source.h"
#include "runtime/executor.h"
#include "runtime/member_task.h"

namespace slotcar::cluster {

class TopologyEtcd final : public TopologySource {
 public:
  struct Options {
    EtcdAccess access;
    std::string prefix;
    std::string wanted_id;  // cluster-node-id; empty: any
    std::string directory;  // for slotcar.node; empty: nothing is kept
    MemberRecord self;      // its id is found out; without an ip it is found out, too
    std::function<std::int64_t()> lease_seconds;
  };
  struct World {
    runtime::Disk* disk;
    runtime::Executor* executor;
    runtime::Clock* clock;
    runtime::Random* random;
    runtime::Logger* log;
    // One for each of the two threads.
    std::unique_ptr<Http> requests;
    std::unique_ptr<Http> events;
    Lease* lease;
    std::function<void()> lease_changed;  // slots are to be looked at again
    // Calls back, on any thread, when no call runs any more that began before the last topology on
    // slots which that one has taken from this node.
    std::function<void(std::function<void()>)> settle;
  };
  TopologyEtcd(Options options, World world);
  ~TopologyEtcd() override { stop(); }

  Result<Topology> read() override;
  std::string self_id() const override { return store_.self_id(); }
  Status watch(std::function<void(Topology)> changed) override;
  void stop() override;
  void propose(TopologyChange change, Done done) override;

 private:
  struct Published {
    std::int64_t revision = 0;  // of the topology
    std::string live;           // which of its members lived
    std::string id;             // which of them this node was
    friend bool operator==(const Published&, const Published&) = default;
  };
  struct Proposal {
    TopologyChange change;
    Done done;
  };

  void run();            // the thread of requests
  void follow_events();  // the other one
  bool wait_for_work();
  void make_changes();
  // Prolongs the lease and reads. An error: later again.
  Status beat();
  Status refresh();
  void publish();
  bool has_settled();
  bool note_published();
  void lose();
  void report(const Status& status);
  void set_timeout();
  static Lease::Nanos deadline_of(Lease::Nanos asked, std::int64_t seconds);

  const Options options_;
  World world_;
  EtcdClient etcd_;
  EtcdClient events_;
  ClusterStore store_;

  // --- the thread of requests
  std::int64_t lease_id_ = 0;
  Lease::Nanos next_beat_ = 0;
  Published published_;  // what `changed_` has got
  std::string fault_;    // of the last beat; empty: it was fine
  std::function<void(Topology)> changed_;

  // --- shared
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Proposal> proposals_;
  bool has_event_ = false;
  bool stopping_ = false;
  std::int64_t revision_ = 0;  // of the last read
  // Topologies that were published, and the last one of them that all calls here see.
  std::uint64_t changes_ = 0;
  std::uint64_t settled_ = 0;
  bool has_news_ = false;  // of settled_

  runtime::MemberTask<&TopologyEtcd::run> run_{*this};
  runtime::MemberTask<&TopologyEtcd::follow_events> follow_{*this};
  std::unique_ptr<runtime::TaskRunner> thread_;
  std::unique_ptr<runtime::TaskRunner> event_thread_;
};

}  // namespace slotcar::cluster
