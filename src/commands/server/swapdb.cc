// SWAPDB index1 index2
#include "commands/declare.h"

namespace slotcar::commands {
namespace {

void swapdb(Call& call) {
  const auto first = base::parse_int64(call.arg(1));
  if (!first) return call.reply().error("ERR invalid first DB index");
  const auto second = base::parse_int64(call.arg(2));
  if (!second) return call.reply().error("ERR invalid second DB index");
  const std::int64_t databases = call.shards().shape().databases;
  if (*first < 0 || *first >= databases || *second < 0 || *second >= databases) {
    return call.reply().error(schema::kDbOutOfRange);
  }
  const DbIndex a{static_cast<std::uint16_t>(*first)};
  const DbIndex b{static_cast<std::uint16_t>(*second)};
  if (a != b) {
    shard::ShardSet& shards = call.shards();
    for (std::uint32_t i = 0; i < shards.count(); ++i) {
      shard::Shard& shard = shards[ShardId{static_cast<std::uint16_t>(i)}];
      if (shard.used()) shard.keys().swap(call.hold(), a, b);
    }
    keyspace::record_swap(call.hold(), a, b);
  }
  call.reply().ok();
}

std::string_view refused_in_cluster(schema::ArgSpan) {
  return "ERR SWAPDB is not allowed in cluster mode";
}

}  // namespace

extern constinit const Command server_swapdb{
    .name = "SWAPDB",
    .summary = "Exchanges two databases; every client sees it at once.",
    .since = "4.0.0",
    .complexity = "O(N) with N the number of watched keys in both.",
    .syntax = "index1 index2",
    .group = Group::server,
    .arity = exactly(3),
    .refused_in_cluster = refused_in_cluster,
    .access = Access::write | Access::fast,
    .acl = Acl::keyspace | Acl::dangerous,
    .runs = schema::on_all_shards(swapdb)};

}  // namespace slotcar::commands
