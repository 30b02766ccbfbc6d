// CLUSTER SLOT-STATS <SLOTSRANGE start-slot end-slot | ORDERBY metric [LIMIT limit] [ASC | DESC]>
//
// Of the slots of this node's shard. What is measured for each slot is its number of keys, as in a
// Redis without cluster-slot-stats-enabled.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/ascii.h"
#include "base/numbers.h"
#include "commands/cluster/cluster_reply.h"
#include "commands/cluster/topology_proposal.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kKeyCount = "key-count";

struct Request {
  cluster::SlotRange range{Slot{0}, Slot{limits::kSlots - 1}};
  bool is_ordered = false;
  bool ascending = false;
  std::size_t limit = limits::kSlots;
};

struct Counted {
  Slot slot;
  ShardId shard;
  std::int64_t keys = 0;
};

struct Stats final : shard::CallState {
  Request request;
  std::vector<Counted> slots;  // by shard
  std::size_t next = 0;        // to be counted
};

bool is(Call& call, std::size_t index, std::string_view word) {
  return base::equals_ignoring_case(call.arg(index), word);
}

// Nothing: it was answered with an error. So it is for the next two.
std::optional<Request> read_range(Call& call) {
  const auto first = slot_at(call, 3);
  const auto last = slot_at(call, 4);
  if (!first || !last) {
    call.reply().error(kBadSlot);
    return {};
  }
  if (*first > *last) {
    call.reply().error(fmt::format("ERR Start slot number {} is greater than end slot number {}",
                                   first->value, last->value));
    return {};
  }
  return Request{.range = {*first, *last}};
}

std::optional<Request> read_order(Call& call) {
  Request request{.is_ordered = true};
  if (!is(call, 3, kKeyCount)) {
    call.reply().error("ERR Unrecognized sort metric for ORDERBY.");
    return {};
  }
  int limits_given = 0;
  int directions = 0;
  for (std::size_t i = 4; i < call.size(); ++i) {
    if (is(call, i, "LIMIT") && i + 1 < call.size()) {
      const auto limit = base::parse_int64(call.arg(++i));
      if (!limit || *limit < 1 || *limit > limits::kSlots) {
        call.reply().error(fmt::format(
            "ERR Limit has to lie in between 1 and {} (maximum number of slots).", limits::kSlots));
        return {};
      }
      request.limit = static_cast<std::size_t>(*limit);
      ++limits_given;
    } else if (is(call, i, "ASC") || is(call, i, "DESC")) {
      request.ascending = is(call, i, "ASC");
      ++directions;
    } else {
      call.reply().error(schema::kSyntaxError);
      return {};
    }
    if (limits_given > 1 || directions > 1) {
      call.reply().error("ERR you cannot provide multiple filters of the same type.");
      return {};
    }
  }
  return request;
}

std::optional<Request> read(Call& call) {
  if (call.size() == 5 && is(call, 2, "SLOTSRANGE")) return read_range(call);
  if (is(call, 2, "ORDERBY")) return read_order(call);
  call.reply().error(fmt::format(
      "ERR unknown subcommand or wrong number of arguments for '{:.128}'. Try CLUSTER HELP.",
      call.arg(1)));
  return {};
}

void reply_slots(Call& call, Stats& stats) {
  const Request& request = stats.request;
  std::ranges::sort(stats.slots, {}, &Counted::slot);
  if (request.is_ordered) {
    // Among equals the lower slot comes first, in both directions.
    std::ranges::stable_sort(stats.slots, [&request](const Counted& a, const Counted& b) {
      return request.ascending ? a.keys < b.keys : a.keys > b.keys;
    });
  }
  const std::size_t count = std::min(request.limit, stats.slots.size());
  resp::ReplyWriter& reply = call.reply();
  reply.array(count);
  for (std::size_t i = 0; i < count; ++i) {
    reply.array(2);
    reply.integer(stats.slots[i].slot.value);
    reply.map(1);
    reply.bulk(kKeyCount);
    reply.integer(stats.slots[i].keys);
  }
}

WalkStep start(Call& call) {
  const cluster::TopologyRef topology = cluster_topology(call.node(), call);
  if (!topology) return WalkStep::done();
  const auto request = read(call);
  if (!request) return WalkStep::done();
  Stats& stats = call.state<Stats>();
  stats.request = *request;
  const cluster::Member& primary = topology->primary_of(topology->self());
  for (const cluster::SlotRange& range : primary.slots) {
    const int first = std::max(range.first.value, request->range.first.value);
    const int last = std::min(range.last.value, request->range.last.value);
    for (int i = first; i <= last; ++i) {
      const Slot slot{static_cast<std::uint16_t>(i)};
      stats.slots.push_back({slot, call.shards().shard_of(slot)});
    }
  }
  if (stats.slots.empty()) {
    call.reply().array(0);
    return WalkStep::done();
  }
  std::ranges::stable_sort(stats.slots, {}, &Counted::shard);
  return WalkStep::go(stats.slots.front().shard.value);
}

WalkStep visit(Call& call, shard::Shard& shard) {
  Stats& stats = call.state<Stats>();
  const ShardId here = stats.slots[stats.next].shard;
  for (; stats.next < stats.slots.size() && stats.slots[stats.next].shard == here; ++stats.next) {
    Counted& counted = stats.slots[stats.next];
    counted.keys = static_cast<std::int64_t>(shard.keys().keys_in_slot(call.db(), counted.slot));
  }
  if (stats.next < stats.slots.size()) return WalkStep::go(stats.slots[stats.next].shard.value);
  reply_slots(call, stats);
  return WalkStep::done();
}

}  // namespace

extern constinit const Command cluster_slot_stats{
    .name = "CLUSTER|SLOT-STATS",
    .summary = "Answers how many keys each slot of this node's shard has.",
    .since = "8.0.0",
    .complexity =
        "O(N) with N the number of slots of the range; O(N log(N)) with ORDERBY and N the slots of "
        "the shard.",
    .syntax =
        "filter=<SLOTSRANGE slotsrange={start-slot:integer end-slot:integer} | "
        "ORDERBY orderby={metric [LIMIT limit:integer] [order=<ASC | DESC>]}>",
    .group = Group::cluster,
    .arity = at_least(4),
    .access = Access::stale | Access::loading,
    .runs = on_walk(start, visit)};

}  // namespace slotcar::commands
