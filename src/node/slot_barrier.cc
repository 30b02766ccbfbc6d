#include "node/slot_barrier.h"

#include <utility>

#include "node/node.h"

namespace slotcar::node {

using cluster::Topology;
using shard::Call;

namespace {

// Without one before, nobody knows: it counts as if it had been.
bool was_here(const Topology* before, Slot slot) {
  return before == nullptr || before->owner(slot) == before->self();
}

}  // namespace

SlotBarrier::SlotBarrier(Node& node)
    : node_(node), command_("(slots lost)", schema::on_keys([](Call&) {})) {}

void SlotBarrier::after_change(std::function<void()> done) {
  const cluster::TopologyRef now = node_.cluster()->topology();
  const cluster::TopologyRef before = std::exchange(before_, now);
  if (node_.durability().loading()) return done();  // no client's call has run yet
  std::vector<bool> seen(node_.shards().count());
  std::vector<ShardId> shards;
  for (std::uint32_t i = 0; i < limits::kSlots; ++i) {
    const Slot slot{static_cast<std::uint16_t>(i)};
    if (now->owner(slot) == now->self() || !was_here(before.get(), slot)) continue;
    const ShardId shard = node_.shards().shard_of(slot);
    if (seen[shard.value]) continue;
    seen[shard.value] = true;
    shards.push_back(shard);
  }
  session::Worker& worker = *node_.services().workers->front();
  worker.loop().post(
      runtime::make_task([this, lost = std::move(shards), then = std::move(done)]() mutable {
        wait_for(std::move(lost), std::move(then));
      }));
}

void SlotBarrier::wait_for(std::vector<ShardId> shards, std::function<void()> done) {
  left_.insert(left_.end(), shards.begin(), shards.end());
  done_ = std::move(done);
  if (!under_way_) go_on();
}

void SlotBarrier::go_on() {
  shard::Thread& thread = node_.services().workers->front()->thread();
  while (!left_.empty()) {
    const ShardId shard = left_.back();
    left_.pop_back();
    call_.reset();
    call_.set_command(command_.registered());
    call_.needs().add(shard);
    call_.set_home(
        thread, [](Call& ended) { static_cast<SlotBarrier*>(ended.owner())->go_on(); }, this);
    under_way_ = true;
    if (!node_.scheduler().start(thread, call_)) return;
  }
  under_way_ = false;
  if (done_) std::exchange(done_, nullptr)();
}

}  // namespace slotcar::node
