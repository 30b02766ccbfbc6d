// SINTERCARD numkeys key [key ...] [LIMIT limit]
#include <string_view>

#include "commands/set/set_algebra.h"
#include "shard/work_size.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kNumkeys = "ERR numkeys should be greater than 0";
constexpr std::string_view kTooManyKeys = "ERR Number of keys can't be greater than number of args";
constexpr std::string_view kNegativeLimit = "ERR LIMIT can't be negative";

// The highest count that is needed; LIMIT 0 means no limit.
std::size_t read_limit(ArgReader& args) {
  const std::int64_t keys = args.integer(kNumkeys);
  if (keys < 1) args.fail(kNumkeys);
  if (keys > static_cast<std::int64_t>(args.left())) args.fail(kTooManyKeys);
  for (std::int64_t i = 0; i < keys && !args.failed(); ++i) args.next();
  std::int64_t limit = 0;
  while (!args.done()) {
    if (args.accept_with("LIMIT", 1)) {
      limit = args.integer(kNegativeLimit);
      if (limit < 0) args.fail(kNegativeLimit);
    } else {
      args.fail(schema::kSyntaxError);
    }
  }
  return limit == 0 ? SIZE_MAX : static_cast<std::size_t>(limit);
}

void count_common(Call& call, types::SetCells sets) {
  ArgReader args(call.args());
  const std::size_t limit = read_limit(args);
  std::size_t found = 0;
  types::for_each_in_all(sets, [&](const types::Element&) { return ++found < limit; });
  call.reply().integer(static_cast<std::int64_t>(found));
}

struct Count {
  static constexpr auto kWork = types::intersection_work;
  static constexpr auto kReply = count_common;
};

void sintercard(Call& call) {
  ArgReader args(call.args());
  read_limit(args);
  if (args.failed()) return call.reply().error(args.error());
  answer_algebra<Count>(call);
}

}  // namespace

extern constinit const Command set_sintercard{
    .name = "SINTERCARD",
    .summary = "Answers how much is in all of several sets, counting up to a limit.",
    .since = "7.0.0",
    .complexity = "O(N*M) with N the size of the smallest set and M the number of sets.",
    .syntax = "numkeys key [key ...] [LIMIT limit]",
    .group = Group::set,
    .arity = at_least(3),
    .keys = schema::keys_counted_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::set,
    .runs = on_keys(sintercard),
    .when_large = WhenLarge::pin_and_answer,
    .size = shard::argument_size,
};

}  // namespace slotcar::commands
