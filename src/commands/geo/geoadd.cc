// GEOADD key [NX | XX] [CH] longitude latitude member [longitude latitude member ...]
#include <string>
#include <vector>

#include "commands/geo/position.h"

namespace slotcar::commands {
namespace {

struct Request {
  types::AddRules rules;
  bool count_changed = false;
  std::vector<double> scores;
  std::size_t first = 0;  // position of the first longitude
};

Request read(ArgReader& args, std::string& error) {
  Request request;
  for (;;) {
    if (args.accept("NX")) {
      request.rules.only_new = true;
    } else if (args.accept("XX")) {
      request.rules.only_present = true;
    } else if (args.accept("CH")) {
      request.count_changed = true;
    } else {
      break;
    }
  }
  request.first = args.position();
  const bool contradiction = request.rules.only_new && request.rules.only_present;
  if (args.left() == 0 || args.left() % 3 != 0 || contradiction) args.fail(schema::kSyntaxError);
  while (!args.done()) {
    const types::geo::Position at = read_position(args, error);
    if (args.failed()) break;
    request.scores.push_back(static_cast<double>(types::geo::encode(at)));
    args.next();
  }
  return request;
}

void geoadd(Call& call) {
  std::string error;
  ArgReader args(call.args(), 2);
  const Request request = read(args, error);
  if (args.failed()) return call.reply().error(args.error());
  auto set = call.edit<keyspace::SortedSetEdit>(0);
  if (set.wrong_type()) return call.reply().error(schema::kWrongType);
  if (!set.existed() && !request.rules.only_present) set.expect(request.scores.size());
  std::int64_t added = 0;
  std::int64_t updated = 0;
  for (std::size_t i = 0; i < request.scores.size(); ++i) {
    double score = request.scores[i];
    const auto outcome = set.add(score, call.arg(request.first + 3 * i + 2), request.rules);
    if (outcome == types::AddOutcome::added) ++added;
    if (outcome == types::AddOutcome::updated) ++updated;
  }
  if (added + updated > 0) set.note(EventClass::sorted_set, "zadd");
  call.reply().integer(request.count_changed ? added + updated : added);
}

}  // namespace

extern constinit const Command geo_geoadd{
    .name = "GEOADD",
    .summary = "Adds members with their positions on the earth to a sorted set.",
    .since = "3.2.0",
    .complexity = "O(log(N)) for each member, with N the size of the sorted set.",
    .syntax =
        "key [condition=<NX | XX>@6.2.0] [CH#change@6.2.0] longitude latitude member [longitude "
        "latitude member ...]",
    .group = Group::geo,
    .arity = at_least(5),
    .keys = key_at(1, KeyUse::rw | KeyUse::update),
    .access = Access::write | Access::may_grow,
    .acl = Acl::geo,
    .runs = on_keys(geoadd),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
