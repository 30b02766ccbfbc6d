// SCAN cursor [MATCH pattern] [COUNT count] [TYPE type]
//
// The cursor is the position of the walk: the slot in the low 14 bits, the position in the slot
// above it. Slot 0 is the first of the first shard, so 0 is the beginning, and as the walk never
// returns to it, 0 can mean the end as well. A cursor is valid as long as the server runs, for any
// client, and the server keeps no state.
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "base/glob.h"
#include "commands/declare.h"
#include "commands/generic/shard_order.h"
#include "runtime/output.h"
#include "shard/work_size.h"
#include "types/type.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kInvalidCursor = "ERR invalid cursor";
constexpr int kSlotBits = 14;
constexpr std::uint64_t kPositionMax = (1ull << 48) - 1;
static_assert(1u << kSlotBits == limits::kSlots);
// Many clients keep a cursor in a signed number.
static_assert(kPositionMax < UINT64_C(1) << (63 - kSlotBits));

// After this many visits a call replies with what it has, whatever COUNT is: visits may find
// nothing (all keys had expired), and each takes a token.
constexpr int kVisitsMax = 1024;

struct Request {
  WalkPlace from;
  std::string_view match = "*";
  std::int64_t count = 10;
  std::optional<std::string_view> type;
};

struct Progress final : shard::CallState {
  Request request;
  WalkPlace place;
  std::int64_t seen = 0;  // keys visited: COUNT counts these, whether or not they match
  int visits = 0;
  runtime::Output names;
  std::size_t found = 0;
};

WalkPlace read_cursor(ArgReader& args) {
  const std::string_view text = args.next();
  std::uint64_t cursor = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, cursor);
  if (failure != std::errc() || stop != end) args.fail(kInvalidCursor);
  return {Slot{static_cast<std::uint16_t>(cursor & (limits::kSlots - 1))}, cursor >> kSlotBits};
}

std::uint64_t cursor_of(WalkPlace place) {
  return place.position << kSlotBits | place.slot.value;
}

Request read(ArgReader& args) {
  Request request;
  request.from = read_cursor(args);
  while (!args.done()) {
    if (args.accept_with("MATCH", 1)) {
      request.match = args.next();
    } else if (args.accept_with("COUNT", 1)) {
      request.count = args.integer();
      if (request.count < 1) args.fail(schema::kSyntaxError);
    } else if (args.accept_with("TYPE", 1)) {
      request.type = args.next();
    } else {
      args.fail(schema::kSyntaxError);
    }
  }
  return request;
}

std::size_t scan_size(const Call& call) {
  const std::size_t size = shard::argument_size(call);
  if (shard::is_large_size(size)) return size;  // a long pattern
  ArgReader args(call.args());
  return static_cast<std::size_t>(std::max<std::int64_t>(read(args).count, 0));
}

WalkStep answer(Call& call, Progress& progress, std::uint64_t cursor) {
  call.reply().array(2);
  call.reply().bulk(std::to_string(cursor));
  call.reply().array(progress.found);
  call.reply().output().splice(std::move(progress.names));
  return WalkStep::done();
}

bool enough(const Progress& progress) {
  return progress.seen >= progress.request.count || progress.visits >= kVisitsMax;
}

// Continues in the first shard with keys from `from` on, or replies.
WalkStep go_to_shard(Call& call, Progress& progress, std::uint32_t from) {
  const auto shard = shard_with_keys(call.shards(), call.db(), from);
  if (!shard) return answer(call, progress, 0);
  progress.place = beginning_of(*shard);
  if (enough(progress)) return answer(call, progress, cursor_of(progress.place));
  return WalkStep::go(shard->value);
}

WalkStep scan_start(Call& call) {
  ArgReader args(call.args());
  auto& progress = call.state<Progress>();
  progress.request = read(args);
  progress.names.set_guard(call.reply().output().guard());
  if (args.failed()) {
    call.reply().error(args.error());
    return WalkStep::done();
  }
  // An invented cursor also ends somewhere; it only must not lead beyond a slot.
  progress.place = progress.request.from;
  progress.place.position = std::min(progress.place.position, kPositionMax);
  const ShardId shard = call.shards().shard_of(progress.place.slot);
  const auto with_keys = shard_with_keys(call.shards(), call.db(), shard.value);
  if (with_keys != shard) return go_to_shard(call, progress, shard.value);
  return WalkStep::go(shard.value);
}

// Visits some keys of one slot; returns where to continue if the slot has more.
std::optional<std::uint64_t> look_at_slot(Call& call, shard::Shard& shard, Progress& progress,
                                          WalkPlace place, VisitShare& share) {
  const Request& request = progress.request;
  const bool all = request.match == "*";
  resp::ReplyWriter names(progress.names, call.caller().protocol);
  const auto take = [&](const Entry& entry) {
    share.look_at(entry.key());
    if (!all && !base::glob_match(request.match, entry.key())) return;
    const std::string_view type = types::type_name(entry.type());
    if (request.type && !base::equals_ignoring_case(*request.type, type)) return;
    names.bulk(entry.key());
    ++progress.found;
  };
  const auto more = shard.keys().scan_slot(call.hold(), call.db(), place.slot, place.position,
                                           share.begin_some(), take);
  if (more) share.end_some();
  return more;
}

WalkStep scan_visit(Call& call, shard::Shard& shard) {
  auto& progress = call.state<Progress>();
  ++progress.visits;
  const auto wanted = static_cast<std::size_t>(progress.request.count - progress.seen);
  VisitShare share(std::min(wanted, kKeysPerVisit));
  const std::int64_t seen_before = progress.seen;
  while (!share.used_up()) {
    const auto place = place_with_keys(shard.keys(), call.db(), progress.place);
    if (!place) return go_to_shard(call, progress, shard.id().value + 1u);
    const auto more = look_at_slot(call, shard, progress, *place, share);
    progress.seen = seen_before + static_cast<std::int64_t>(share.seen());
    if (more) {
      progress.place = {place->slot, *more};
      continue;
    }
    const auto next = next_slot_of_shard(call.shards(), *place);
    if (!next) return go_to_shard(call, progress, shard.id().value + 1u);
    progress.place = *next;
  }
  if (!enough(progress)) return WalkStep::stay();
  // A cursor is returned only if there are keys after it: the last page ends the walk.
  const auto place = place_with_keys(shard.keys(), call.db(), progress.place);
  if (!place) return go_to_shard(call, progress, shard.id().value + 1u);
  return answer(call, progress, cursor_of(*place));
}

}  // namespace

extern constinit const Command generic_scan{
    .name = "SCAN",
    .summary = "Lists the keys of the database page by page.",
    .since = "2.8.0",
    .complexity = "O(1) a call, O(N) for a whole iteration with N the number of keys.",
    .syntax = "cursor [MATCH pattern] [COUNT count] [TYPE type@6.0.0]",
    .group = Group::generic,
    .arity = at_least(2),
    .access = Access::readonly,
    .acl = Acl::keyspace,
    .runs = on_walk(scan_start, scan_visit),
    .when_large = WhenLarge::hold,
    .size = scan_size,
};

}  // namespace slotcar::commands
