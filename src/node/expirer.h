// Expirer: removes keys when their time is over, on time. Each worker looks after its share of the
// shards: it knows their next times from one small array and asks to be woken for the earliest.
// The removal itself is an ordinary call with the shard's token: it queues like any other if the
// token is held.
//
// However many keys end at once, a turn of the loop removes a few hundred, and half of the worker's
// time is left to others. Nobody sees a key that is over its time while it waits for its removal;
// its event comes with that, and INFO's expire_lag_ms_max says how late the latest was.
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
  std::vector<Next> next_;  // where each worker goes on
  schema::InternalCommand command_;
  // One visit per shard at most is under way; made on first use.
  std::vector<std::unique_ptr<Visit>> visits_;
};

}  // namespace slotcar::node
