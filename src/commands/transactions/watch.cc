// WATCH key [key ...]
//
// The keys are registered shard by shard, a bounded number in each hold of a token: a change of one
// is detected from its registration on, and all are registered before the reply. WATCH promises no
// consistent state of several keys, so they need not be registered at one moment.
#include <algorithm>
#include <vector>

#include "base/limits.h"
#include "commands/declare.h"
#include "shard/transaction.h"

namespace slotcar::commands {
namespace {

struct Order final : shard::CallState {
  std::vector<std::uint32_t> keys;  // of the call, those of one shard together
  std::size_t next = 0;
};

// In linear time, because a client may name a million.
void order_by_shard(Call& call, std::vector<std::uint32_t>& keys) {
  keys.resize(call.key_count());
  if (keys.size() == 1) return;
  std::vector<std::uint32_t> begins(call.shards().count() + 1);
  for (std::size_t i = 0; i < keys.size(); ++i) ++begins[call.located(i).shard.value + 1u];
  for (std::size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[begins[call.located(i).shard.value]++] = static_cast<std::uint32_t>(i);
  }
}

WalkStep start(Call& call) {
  if (call.caller().in_multi) {
    call.reply().error("ERR WATCH inside MULTI is not allowed");
    return WalkStep::done();
  }
  auto& order = call.state<Order>();
  order_by_shard(call, order.keys);
  return WalkStep::go(call.located(order.keys[0]).shard.value);
}

WalkStep visit(Call& call, shard::Shard& shard) {
  auto& order = call.state<Order>();
  for (std::size_t left = limits::kWatchesPerHold; left > 0; --left) {
    call.transaction()->watch(call, order.keys[order.next++]);
    if (order.next == order.keys.size()) {
      call.reply().ok();
      return WalkStep::done();
    }
    const ShardId next = call.located(order.keys[order.next]).shard;
    if (next != shard.id()) return WalkStep::go(next.value);
  }
  return WalkStep::stay();
}

}  // namespace

extern constinit const Command transactions_watch{
    .name = "WATCH",
    .summary = "Lets the next EXEC run only if none of the keys has changed by then.",
    .since = "2.2.0",
    .complexity = "O(1) for each key.",
    .syntax = "key [key ...]",
    .group = Group::transactions,
    .arity = at_least(2),
    .keys = keys(1, -1, 1, KeyUse::ro),
    .access =
        Access::noscript | Access::loading | Access::stale | Access::fast | Access::allow_busy,
    .acl = Acl::transaction,
    .runs = schema::on_walk(start, visit),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
    .queued = false};

}  // namespace slotcar::commands
