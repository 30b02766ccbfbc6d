// TransactionChanges: changes of the topology in MULTI, as `redis-cli --cluster fix` makes them
// (DELSLOTS, ADDSLOTS, SETSLOT STABLE, BUMPEPOCH). EXEC holds tokens and cannot wait for the source
// of the topology. So each such command is answered at once, by what the topology will be, and the
// changes are proposed when EXEC has released its tokens, one after the other, in their order. EXEC
// is answered after the last one. If one of them fails, the others after it are not made, and EXEC
// is answered with that error instead.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands/cluster/cluster_reply.h"

namespace slotcar::commands {

class TransactionChanges final : public shard::CallState {
 public:
  // Which ones are possible: those whose answer follows from the topology alone.
  static bool takes(const cluster::TopologyChange& change);
  // `call` is part of an EXEC.
  static void add(node::Node& node, Call& call, cluster::TopologyChange change);

 private:
  static void make_next(Call& exec);
  static void read_answer(Call& exec);

  std::string id_;                         // of this node
  std::optional<cluster::Topology> next_;  // after all of them
  std::vector<cluster::TopologyChange> changes_;
  std::size_t proposed_ = 0;
  std::string error_;  // of the last one; empty: none
};

}  // namespace slotcar::commands
