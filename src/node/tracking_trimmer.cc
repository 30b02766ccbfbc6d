#include "node/tracking_trimmer.h"

#include "node/node.h"

namespace slotcar::node {

using runtime::kMillisecond;
using runtime::Nanos;
using shard::Call;

namespace {

constexpr Nanos kLookEvery = 50 * kMillisecond;
constexpr Nanos kWhileTooMany = kMillisecond;
// A piece of work: keys per hold of a token, and shards before other work gets its turn.
constexpr std::size_t kKeysPerHold = 64;
constexpr int kShardsPerTick = 128;

void trim_shard(Call& call) {
  shard::Shard& shard = call.shards()[call.needs()[0]];
  shard.keys().trim_tracked(call.hold(), kKeysPerHold);
}

}  // namespace

TrackingTrimmer::TrackingTrimmer(Node& node)
    : node_(node), command_("(trim tracking)", schema::on_keys(trim_shard)) {}

Nanos TrackingTrimmer::tick(session::Worker& worker) {
  const Nanos turn = worker.loop().turn_monotonic();
  const keyspace::KeyspaceSettings& settings = node_.settings().execution.keyspace;
  if (!settings.tracks_too_many()) return turn + kLookEvery;
  for (int i = 0; i < kShardsPerTick; ++i) {
    if (under_way_ || !settings.tracks_too_many() || !visit_next(worker)) break;
  }
  return turn + kWhileTooMany;
}

bool TrackingTrimmer::visit_next(session::Worker& worker) {
  shard::ShardSet& shards = node_.shards();
  const ShardId id{static_cast<std::uint16_t>(next_shard_++ % shards.count())};
  if (!shards[id].used()) return true;
  call_.reset();
  call_.set_command(command_.registered());
  call_.needs().add(id);
  call_.set_home(worker.thread(), &TrackingTrimmer::visit_finished, this);
  under_way_ = true;
  if (node_.scheduler().start(worker.thread(), call_)) under_way_ = false;
  return !under_way_;
}

void TrackingTrimmer::visit_finished(Call& call) {
  static_cast<TrackingTrimmer*>(call.owner())->under_way_ = false;
}

}  // namespace slotcar::node
