#include "commands/cluster/topology_proposal.h"

#include <utility>

#include "base/limits.h"
#include "base/numbers.h"
#include "commands/cluster/transaction_changes.h"

namespace slotcar::commands {

std::optional<Slot> slot_at(const Call& call, std::size_t index) {
  const auto number = base::parse_int64(call.arg(index));
  if (!number || *number < 0 || *number >= limits::kSlots) return {};
  return Slot{static_cast<std::uint16_t>(*number)};
}

void propose(node::Node& node, Call& call, cluster::TopologyChange change,
             std::function<void()> failed) {
  const bool in_script = call.context().script != nullptr;
  if (!in_script && call.context().exec != nullptr && TransactionChanges::takes(change)) {
    return TransactionChanges::add(node, call, std::move(change));
  }
  if (call.in_transaction() || in_script) {
    if (failed) failed();
    return call.reply().error(
        "ERR This change of the topology waits for all nodes: it is not possible in a transaction "
        "or a script");
  }
  call.park();
  node.topology_source().propose(std::move(change),
                                 [&node, &call, failed](const cluster::ChangeAnswer& answer) {
                                   if (!answer && failed) failed();
                                   if (answer) {
                                     call.reply().simple(*answer);
                                   } else {
                                     call.reply().error(answer.error().message);
                                   }
                                   node.scheduler().finish_parked(call);
                                 });
}

}  // namespace slotcar::commands
