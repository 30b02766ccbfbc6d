// GEODIST key member1 member2 [M | KM | FT | MI]
#include "commands/geo/position.h"

namespace slotcar::commands {
namespace {

void geodist(Call& call) {
  ArgReader args(call.args(), 4);
  if (args.left() > 1) return call.reply().error(schema::kSyntaxError);
  const double unit = args.left() == 1 ? read_unit(args) : 1;
  if (args.failed()) return call.reply().error(args.error());

  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::sorted_set)) return;
  const types::SortedSetView view = sorted_set_of(entry);
  double a = 0;
  double b = 0;
  if (!view.find(call.arg(2), a) || !view.find(call.arg(3), b)) return call.reply().null();
  reply_distance(call.reply(),
                 distance_meters(types::geo::decode(a), types::geo::decode(b)) / unit);
}

}  // namespace

extern constinit const Command geo_geodist{
    .name = "GEODIST",
    .summary = "Answers the distance between two members.",
    .since = "3.2.0",
    .complexity = "O(log(N)) with N the size of the sorted set.",
    .syntax = "key member1 member2 [unit=<M | KM | FT | MI>]",
    .group = Group::geo,
    .arity = at_least(4),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::geo,
    .runs = on_keys(geodist),
};

}  // namespace slotcar::commands
