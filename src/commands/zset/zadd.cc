// ZADD key [NX | XX] [GT | LT] [CH] [INCR] score member [score member ...],
// ZINCRBY key increment member
#include <string_view>
#include <vector>

#include "commands/zset/sorted_set_value.h"
#include "shard/work_size.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kNewAndPresent =
    "ERR XX and NX options at the same time are not compatible";
constexpr std::string_view kContradiction =
    "ERR GT, LT, and/or NX options at the same time are not compatible";
constexpr std::string_view kOneIncrement =
    "ERR INCR option supports a single increment-element pair";
constexpr std::string_view kNotANumber = "ERR resulting score is not a number (NaN)";

struct Request {
  types::AddRules rules;
  bool count_changed = false;
  std::size_t first = 0;  // position of the first score
};

Request read(ArgReader& args) {
  Request request;
  types::AddRules& rules = request.rules;
  for (;;) {
    if (args.accept("NX")) {
      rules.only_new = true;
    } else if (args.accept("XX")) {
      rules.only_present = true;
    } else if (args.accept("GT")) {
      rules.only_greater = true;
    } else if (args.accept("LT")) {
      rules.only_less = true;
    } else if (args.accept("CH")) {
      request.count_changed = true;
    } else if (args.accept("INCR")) {
      rules.increment = true;
    } else {
      break;
    }
  }
  request.first = args.position();
  if (args.left() == 0 || args.left() % 2 != 0) args.fail(schema::kSyntaxError);
  if (rules.only_new && rules.only_present) args.fail(kNewAndPresent);
  const bool bounded = rules.only_greater || rules.only_less;
  if ((rules.only_new && bounded) || (rules.only_greater && rules.only_less)) {
    args.fail(kContradiction);
  }
  if (rules.increment && args.left() > 2) args.fail(kOneIncrement);
  return request;
}

void increment(Call& call, double score, std::string_view member, const types::AddRules& rules) {
  auto set = call.edit<keyspace::SortedSetEdit>(0);
  if (set.wrong_type()) return call.reply().error(schema::kWrongType);
  switch (set.add(score, member, rules)) {
    case types::AddOutcome::not_a_number:
      return call.reply().error(kNotANumber);
    case types::AddOutcome::refused:
      return call.reply().null();
    case types::AddOutcome::added:
    case types::AddOutcome::updated:
      set.note(EventClass::sorted_set, "zincr");
      [[fallthrough]];
    default:
      return call.reply().real(score);
  }
}

void add_one(Call& call, const Request& request, double score) {
  auto set = call.edit<keyspace::SortedSetEdit>(0);
  if (set.wrong_type()) return call.reply().error(schema::kWrongType);
  const auto outcome = set.add(score, call.arg(request.first + 1), request.rules);
  if (outcome == types::AddOutcome::added || outcome == types::AddOutcome::updated) {
    set.note(EventClass::sorted_set, "zadd");
  }
  const bool counts = outcome == types::AddOutcome::added ||
                      (request.count_changed && outcome == types::AddOutcome::updated);
  call.reply().integer(counts ? 1 : 0);
}

void add_many(Call& call, const Request& request, const std::vector<double>& scores) {
  auto set = call.edit<keyspace::SortedSetEdit>(0);
  if (set.wrong_type()) return call.reply().error(schema::kWrongType);
  if (!set.existed() && !request.rules.only_present) set.expect(scores.size());
  std::int64_t added = 0;
  std::int64_t updated = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    double score = scores[i];
    const auto outcome = set.add(score, call.arg(request.first + 2 * i + 1), request.rules);
    if (outcome == types::AddOutcome::added) ++added;
    if (outcome == types::AddOutcome::updated) ++updated;
  }
  if (added + updated > 0) set.note(EventClass::sorted_set, "zadd");
  call.reply().integer(request.count_changed ? added + updated : added);
}

// All scores are read before the first one is set.
void zadd(Call& call) {
  ArgReader args(call.args(), 2);
  const Request request = read(args);
  if (args.failed()) return call.reply().error(args.error());
  const double score = args.real();
  if (args.failed()) return call.reply().error(args.error());
  if (request.rules.increment) {
    return increment(call, score, call.arg(request.first + 1), request.rules);
  }
  args.next();
  if (args.left() == 0) return add_one(call, request, score);
  std::vector<double> scores;
  scores.reserve(args.left() / 2 + 1);
  scores.push_back(score);
  while (!args.done()) {
    scores.push_back(args.real());
    args.next();
  }
  if (args.failed()) return call.reply().error(args.error());
  add_many(call, request, scores);
}

void zincrby(Call& call) {
  ArgReader args(call.args(), 2);
  const double by = args.real();
  if (args.failed()) return call.reply().error(args.error());
  increment(call, by, call.arg(3), types::AddRules{.increment = true});
}

}  // namespace

extern constinit const Command zset_zadd{
    .name = "ZADD",
    .summary = "Adds members to a sorted set, or gives them other scores.",
    .since = "1.2.0",
    .complexity = "O(log(N)) for each element, with N the size of the sorted set.",
    .syntax =
        "key [condition=<NX | XX>@3.0.2] [comparison=<GT | LT>@6.2.0] [CH#change@3.0.2] "
        "[INCR#increment@3.0.2] score member [score member ...]",
    .group = Group::sorted_set,
    .arity = at_least(4),
    .keys = key_at(1, KeyUse::rw | KeyUse::update),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::sortedset,
    .runs = on_keys(zadd),
    .when_large = WhenLarge::hold,
    .size = shard::pair_size,
    .element = 3,
};

extern constinit const Command zset_zincrby{
    .name = "ZINCRBY",
    .summary = "Adds a number to the score of a member.",
    .since = "1.2.0",
    .complexity = "O(log(N)) with N the size of the sorted set.",
    .syntax = "key increment member",
    .group = Group::sorted_set,
    .arity = exactly(4),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::update),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::sortedset,
    .runs = on_keys(zincrby),
    .when_large = WhenLarge::hold,
    .size = shard::argument_size,
    .element = 3,
};

}  // namespace slotcar::commands
