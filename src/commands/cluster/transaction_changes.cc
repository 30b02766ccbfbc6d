#include "commands/cluster/transaction_changes.h"

#include <fmt/format.h>

#include <utility>

#include "base/assert.h"

namespace slotcar::commands {

using cluster::Topology;
using cluster::TopologyChange;

namespace {

// Who has which slots, without the moves that only this node knows of.
Topology owners_of(const Topology& topology) {
  cluster::TopologyBuilder builder;
  builder.set_epoch(topology.epoch());
  for (const cluster::Member& one : topology.members()) {
    cluster::Member member = one;
    member.slots.clear();
    member.replicas.clear();
    member.primary = cluster::kNoMember;
    ASSERT(builder.add(std::move(member), "").ok());
    for (const cluster::SlotRange& range : one.slots) ASSERT(builder.give(one.id, range).ok());
  }
  return builder.take();
}

}  // namespace

bool TransactionChanges::takes(const TopologyChange& change) {
  using Kind = TopologyChange::Kind;
  return change.kind == Kind::add_slots || change.kind == Kind::delete_slots ||
         change.kind == Kind::bump_epoch || change.kind == Kind::save;
}

void TransactionChanges::add(node::Node& node, Call& call, TopologyChange change) {
  Call& exec = *call.context().exec;
  TransactionChanges& self = exec.state<TransactionChanges>();
  if (!self.next_) {
    const cluster::TopologyRef now = node.cluster()->topology();
    self.id_ = now->member(now->self()).id;
    self.next_ = owners_of(*now);
  }
  auto changed = cluster::changed_topology(*self.next_, self.id_, change);
  if (!changed) return call.reply().error(changed.error().message);
  call.reply().simple(changed->answer);
  self.next_ = std::move(changed->topology);
  if (self.changes_.empty()) exec.finish_without_tokens(make_next);
  self.changes_.push_back(std::move(change));
}

// --- without tokens, on a slow thread ----------------------------------------------------------

void TransactionChanges::make_next(Call& exec) {
  TransactionChanges& self = exec.state<TransactionChanges>();
  if (self.proposed_ == self.changes_.size()) return;
  exec.finish_without_tokens(read_answer);
  exec.park();
  exec.node().topology_source().propose(self.changes_[self.proposed_],
                                        [&exec, &self](const cluster::ChangeAnswer& answer) {
                                          if (!answer) self.error_ = answer.error().message;
                                          exec.schedule().scheduler->finish_parked(exec);
                                        });
}

void TransactionChanges::read_answer(Call& exec) {
  TransactionChanges& self = exec.state<TransactionChanges>();
  if (self.error_.empty()) {
    ++self.proposed_;
    return make_next(exec);
  }
  exec.reply().output().clear();
  exec.reply().error(fmt::format("ERR EXEC has made {} of {} changes of the topology, and then: {}",
                                 self.proposed_, self.changes_.size(), self.error_));
}

}  // namespace slotcar::commands
