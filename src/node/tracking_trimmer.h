// TrackingTrimmer: keeps the tables of CLIENT TRACKING within `tracking-table-max-keys`. A
// shard trims itself while clients read from it. The excess in shards that are not read (after
// CONFIG SET made the bound smaller) is removed here, one shard after the other, a piece at a
// time.
#pragma once

#include <cstdint>

#include "schema/internal_command.h"
#include "session/worker.h"
#include "shard/call.h"

namespace slotcar::node {

class Node;

// Runs on one worker.
class TrackingTrimmer final : public session::Ticker {
 public:
  explicit TrackingTrimmer(Node& node);
  runtime::Nanos tick(session::Worker& worker) override;

 private:
  // From shard to shard while there are too many; false: a visit waits for its token.
  bool visit_next(session::Worker& worker);
  static void visit_finished(shard::Call& call);

  Node& node_;
  schema::InternalCommand command_;
  shard::Call call_;
  bool under_way_ = false;
  std::uint32_t next_shard_ = 0;
};

}  // namespace slotcar::node
