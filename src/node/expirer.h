// Expirer: removes keys when their time is over, on time. Each worker looks after its share of the
// shards: it knows their next times from one small array and asks to be woken for the earliest.
// The removal itself is an ordinary call with the shard's token: it queues like any other if the
// token is held.
#pragma once

#include <memory>
#include <vector>

#include "schema/registry.h"
#include "session/worker.h"
#include "shard/call.h"

namespace slotcar::node {

class Node;

class Expirer final : public session::Ticker {
 public:
  Expirer(Node& node, std::uint32_t workers);
  ~Expirer() override;

  runtime::Nanos tick(session::Worker& worker) override;

 private:
  struct Visit;
  void start(session::Worker& worker, ShardId shard);
  static void visit_finished(shard::Call& call);

  Node& node_;
  std::uint32_t workers_;
  schema::Registered command_;
  // One visit per shard at most is under way; made on first use.
  std::vector<std::unique_ptr<Visit>> visits_;
};

}  // namespace slotcar::node
