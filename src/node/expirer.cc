#include "node/expirer.h"

#include <algorithm>

#include "base/limits.h"
#include "node/node.h"

namespace slotcar::node {

using runtime::kMillisecond;
using runtime::Nanos;
using shard::Call;

namespace {

// A key may get an earlier time at any moment without a notification, so the expirer looks this
// often while any key has a time.
constexpr UnixMs kLookEveryMs = 4;
constexpr Nanos kLookWhenNone = 50 * kMillisecond;
constexpr Nanos kRestMin = 100 * runtime::kMicrosecond;

void expire_shard(Call& call) {
  shard::Shard& shard = call.shards()[call.needs()[0]];
  shard.keys().expire_due(call.hold(), limits::kExpirePerHold);
}

}  // namespace

struct Expirer::Visit {
  Call call;
  bool under_way = false;
};

Expirer::Expirer(Node& node, std::uint32_t workers)
    : node_(node),
      workers_(workers),
      next_(workers),
      command_("(expire)", schema::on_keys(expire_shard)),
      visits_(node.shards().count()) {}

Expirer::~Expirer() = default;

Nanos Expirer::tick(session::Worker& worker) {
  const UnixMs now = worker.thread().now();
  const Nanos turn = worker.loop().turn_monotonic();
  // A removal is a write: none while writes cannot be recorded.
  const storage::Log* log = node_.scheduler().log();
  if (!node_.settings().execution.keyspace.active_expire.get() || node_.pause().active(now) ||
      (log != nullptr && !log->admits())) {
    return turn + kLookWhenNone;
  }
  shard::ShardSet& shards = node_.shards();
  const std::uint32_t first = worker.id().value;
  const std::uint32_t own =
      first < shards.count() ? (shards.count() - first + workers_ - 1) / workers_ : 0;
  std::uint32_t& next = next_[first].place;
  const Nanos began = worker.loop().clock().monotonic();
  int holds = 0;
  UnixMs earliest = kNever;
  for (std::uint32_t seen = 0; seen < own; ++seen, next = (next + 1) % own) {
    const ShardId id{static_cast<std::uint16_t>(first + next * workers_)};
    const UnixMs due = shards.next_due(id).load(std::memory_order_relaxed);
    earliest = std::min(earliest, due);
    if (due > now) continue;
    // Next time the shards after this one come first; and other work of this worker gets as much
    // time as the expirer had.
    if (holds == limits::kExpireHoldsPerTurn) {
      const Nanos ended = worker.loop().clock().monotonic();
      return ended + std::max(ended - began, kRestMin);
    }
    if (start(worker, id)) ++holds;
  }
  if (earliest == kNever) return turn + kLookWhenNone;
  // A key may be due in a million years: clamp before the multiplication.
  return turn + std::clamp(earliest - now, UnixMs{1}, kLookEveryMs) * kMillisecond;
}

// False: one is under way already.
bool Expirer::start(session::Worker& worker, ShardId shard) {
  auto& visit = visits_[shard.value];
  if (!visit) visit = std::make_unique<Visit>();
  if (visit->under_way) return false;
  Call& call = visit->call;
  call.reset();
  call.set_command(command_.registered());
  call.needs().add(shard);
  call.set_home(worker.thread(), &Expirer::visit_finished, visit.get());
  visit->under_way = true;
  if (node_.scheduler().start(worker.thread(), call)) visit->under_way = false;
  return true;
}

void Expirer::visit_finished(Call& call) {
  static_cast<Visit*>(call.owner())->under_way = false;
}

}  // namespace slotcar::node
