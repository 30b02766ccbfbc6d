#include "cluster/awaited_slots.h"

#include <algorithm>
#include <utility>

namespace slotcar::cluster {

void AwaitedSlots::follow(const Topology& topology, bool serves_none, Nanos until) {
  const std::map<Slot, Wait> before = std::exchange(waits_, {});
  for (const Fence& fence : topology.fences()) {
    if (serves_none) break;
    for (const SlotRange& range : fence.ranges) {
      for (std::uint32_t i = range.first.value; i <= range.last.value; ++i) {
        const Slot slot{static_cast<std::uint16_t>(i)};
        if (topology.owner(slot) != topology.self()) continue;
        const auto known = before.find(slot);
        waits_.emplace(slot, known != before.end() ? known->second : Wait{until});
      }
    }
  }
  waiting_ = static_cast<std::size_t>(
      std::ranges::count_if(waits_, [](const auto& one) { return !one.second.is_given_up; }));
  for (const auto& [slot, wait] : before) {
    if (!wait.is_given_up && !waits_.contains(slot)) ended_.push_back(slot);
  }
}

void AwaitedSlots::give_up(Nanos now) {
  for (auto& [slot, wait] : waits_) {
    if (wait.is_given_up || now < wait.until) continue;
    wait.is_given_up = true;
    --waiting_;
    ended_.push_back(slot);
  }
}

bool AwaitedSlots::has(Slot slot) const {
  const auto found = waits_.find(slot);
  return found != waits_.end() && !found->second.is_given_up;
}

std::vector<Slot> AwaitedSlots::take_ended() {
  std::vector<Slot> ended = std::exchange(ended_, {});
  std::ranges::sort(ended);
  const auto repeated = std::ranges::unique(ended);
  ended.erase(repeated.begin(), repeated.end());
  return ended;
}

}  // namespace slotcar::cluster
