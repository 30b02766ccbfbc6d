#include "node/slot_waker.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace slotcar::node {
namespace {

// How precisely the end of the patience is kept. A change of topology makes it tick at once.
constexpr runtime::Nanos kLookEvery = 20 * runtime::kMillisecond;

}  // namespace

runtime::Nanos SlotWaker::tick(session::Worker& worker) {
  bool more = false;
  const std::vector<Slot> ended = cluster_.take_awaited(cluster::Lease::now(), more);
  if (!ended.empty()) {
    std::vector<ShardId> shards;
    for (const Slot slot : ended) shards.push_back(scheduler_.shards().shard_of(slot));
    std::ranges::sort(shards);
    const auto repeated = std::ranges::unique(shards);
    shards.erase(repeated.begin(), repeated.end());
    calls_.wake(worker.thread(), std::move(shards));
  }
  return more ? worker.loop().turn_monotonic() + kLookEvery : INT64_MAX;
}

}  // namespace slotcar::node
