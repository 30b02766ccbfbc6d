// Expirer: removes expired keys on time. Each worker handles its share of the shards: it
// reads their next times from one small array and is woken for the earliest. The removal
// itself is an ordinary call with the shard's token: it queues like any other if the token is
// held.
//
// However many keys expire at once, a turn of the loop removes a few hundred, and half of the
// worker's time is left for other work. Clients do not see an expired key that waits for its
// removal. Its event comes with the removal, and INFO's expire_lag_ms_max is the longest delay.
#pragma once

#include <memory>
#include <vector>

#include "schema/internal_command.h"
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
  bool start(session::Worker& worker, ShardId shard);
  static void visit_finished(shard::Call& call);

  Node& node_;
  std::uint32_t workers_;
  struct alignas(64) Next {
    std::uint32_t place = 0;  // among the worker's shards
  };
  std::vector<Next> next_;  // where each worker continues
  schema::InternalCommand command_;
  // At most one visit per shard is running; made on first use.
  std::vector<std::unique_ptr<Visit>> visits_;
};

}  // namespace slotcar::node
