// CLUSTER KEYSLOT key, COUNTKEYSINSLOT slot, GETKEYSINSLOT slot count
#include <optional>

#include "base/numbers.h"
#include "commands/cluster/cluster_reply.h"
#include "runtime/output.h"
#include "schema/slot.h"

namespace slotcar::commands {
namespace {

constexpr std::size_t kKeysPerVisit = 256;

void key_slot(node::Node& node, Call& call) {
  if (cluster_topology(node, call)) call.reply().integer(schema::slot_of(call.arg(2)).value);
}

// The names found so far, already encoded; their number is known only at the end.
struct Found final : shard::CallState {
  Slot slot;
  std::size_t wanted = 0;
  std::uint64_t position = 0;
  runtime::Output names;
  std::size_t count = 0;
};

// Nothing: the argument is no slot, which was answered.
std::optional<Slot> read_slot(Call& call, std::string_view out_of_range) {
  const auto number = base::parse_int64(call.arg(2));
  if (!number) {
    call.reply().error(schema::kNotInteger);
  } else if (*number < 0 || *number >= limits::kSlots) {
    call.reply().error(out_of_range);
  } else {
    return Slot{static_cast<std::uint16_t>(*number)};
  }
  return std::nullopt;
}

WalkStep count_start(Call& call) {
  if (call.node().cluster() == nullptr) {
    call.reply().error(kNoCluster);
    return WalkStep::done();
  }
  const auto slot = read_slot(call, "ERR Invalid slot");
  if (!slot) return WalkStep::done();
  return WalkStep::go(call.shards().shard_of(*slot).value);
}

WalkStep count_visit(Call& call, shard::Shard& shard) {
  const Slot slot{static_cast<std::uint16_t>(*base::parse_int64(call.arg(2)))};
  call.reply().integer(static_cast<std::int64_t>(shard.keys().keys_in_slot(call.db(), slot)));
  return WalkStep::done();
}

WalkStep get_start(Call& call) {
  if (call.node().cluster() == nullptr) {
    call.reply().error(kNoCluster);
    return WalkStep::done();
  }
  constexpr std::string_view kInvalid = "ERR Invalid slot or number of keys";
  const auto count = base::parse_int64(call.arg(3));
  const auto slot = read_slot(call, kInvalid);
  if (!slot) return WalkStep::done();
  if (!count || *count < 0) {
    call.reply().error(count ? kInvalid : schema::kNotInteger);
    return WalkStep::done();
  }
  Found& found = call.state<Found>();
  found.names.set_guard(call.reply().output().guard());
  found.slot = *slot;
  found.wanted = static_cast<std::size_t>(*count);
  return WalkStep::go(call.shards().shard_of(*slot).value);
}

WalkStep get_visit(Call& call, shard::Shard& shard) {
  Found& found = call.state<Found>();
  resp::ReplyWriter names(found.names, call.caller().protocol);
  const auto more = shard.keys().scan_slot(call.hold(), call.db(), found.slot, found.position,
                                           kKeysPerVisit, [&](const Entry& entry) {
                                             if (found.count == found.wanted) return;
                                             names.bulk(entry.key());
                                             ++found.count;
                                           });
  if (more && found.count < found.wanted) {
    found.position = *more;
    return WalkStep::stay();
  }
  call.reply().array(found.count);
  call.reply().output().splice(std::move(found.names));
  return WalkStep::done();
}

}  // namespace

extern constinit const Command cluster_keyslot{.name = "CLUSTER|KEYSLOT",
                                               .summary = "Answers the slot of a key.",
                                               .since = "3.0.0",
                                               .complexity = "O(N) with N the length of the key.",
                                               .syntax = "key:string",
                                               .group = Group::cluster,
                                               .arity = exactly(3),
                                               .access = Access::stale,
                                               .runs = schema::on_node(key_slot)};

extern constinit const Command cluster_countkeysinslot{
    .name = "CLUSTER|COUNTKEYSINSLOT",
    .summary = "Answers how many keys this node has in a slot.",
    .since = "3.0.0",
    .complexity = "O(1)",
    .syntax = "slot:integer",
    .group = Group::cluster,
    .arity = exactly(3),
    .access = Access::stale,
    .runs = on_walk(count_start, count_visit)};

extern constinit const Command cluster_getkeysinslot{
    .name = "CLUSTER|GETKEYSINSLOT",
    .summary = "Answers the names of keys that this node has in a slot.",
    .since = "3.0.0",
    .complexity = "O(N) with N the number of keys asked for.",
    .syntax = "slot:integer count",
    .group = Group::cluster,
    .arity = exactly(4),
    .access = Access::stale,
    .runs = on_walk(get_start, get_visit)};

}  // namespace slotcar::commands
