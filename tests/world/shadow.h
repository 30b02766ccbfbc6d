// Shadow: a copy of a node's data that is made only from its log records. Each record is applied
// to the copy while its hold still has the tokens, as a start or a replica would apply it, and the
// keys that it names must then be the same on both sides: type, value, times. So the record of a
// call, of a batch, of an expiry contains everything that was done, and applying it refuses
// nothing.
//
// The copy has other settings than the node, among them the smallest limits: acknowledged data must
// not depend on them. For simulated nodes: everything is on one real thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "keyspace/keyspace.h"
#include "node/node.h"
#include "router/router.h"
#include "runtime/thread_executor.h"
#include "shard/record_observer.h"
#include "shard/scheduler.h"

namespace slotcar::world {

class Shadow final : public shard::RecordObserver {
 public:
  // For a node with a log and no data yet. It must outlive the shadow.
  explicit Shadow(node::Node& node);
  ~Shadow() override;

  void on_record(const keyspace::Hold& hold, std::string_view payload) override;
  // Compares all keys of all shards whose token is free, to find changes that were not recorded.
  void compare_all();
  // The complaints since the last call.
  std::vector<std::string> take_complaints() { return std::move(complaints_); }
  std::uint64_t records() const { return records_; }

 private:
  struct NoRunner : runtime::TaskRunner {
    void post(runtime::Task&) override {}
  };

  void compare(std::string_view payload);
  void compare_key(std::string_view name, std::string_view payload);
  void compare_shard(ShardId id);
  void complain(std::string_view name, DbIndex db, const std::string& real,
                const std::string& applied, std::string_view payload);

  node::Node& node_;
  NoRunner runner_;
  storage::FunctionLibraries functions_;
  runtime::ThreadExecutor executor_;  // starts none
  shard::ExecutionSettings settings_;
  shard::ShardSet shards_;
  shard::Scheduler scheduler_;
  router::Router router_;
  shard::Thread thread_;
  std::uint64_t records_ = 0;
  std::vector<std::string> complaints_;
};

}  // namespace slotcar::world
