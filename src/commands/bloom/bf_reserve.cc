// BF.RESERVE key error_rate capacity [EXPANSION expansion] [NONSCALING]
#include "commands/bloom/bloom_value.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kBadRate = "ERR bad error rate";
constexpr std::string_view kRateRange = "ERR (0 < error rate range < 1) ";
constexpr std::string_view kBadCapacity = "ERR bad capacity";
constexpr std::string_view kCapacityRange = "ERR (capacity should be larger than 0)";
constexpr std::string_view kBadExpansion = "ERR bad expansion";
constexpr std::string_view kNoExpansion = "ERR no expansion";
constexpr std::string_view kExpansionRange = "ERR expansion should be greater or equal to 1";
constexpr std::string_view kCannotExpand = "Nonscaling filters cannot expand";

types::BloomShape read(ArgReader& args) {
  types::BloomShape shape;
  shape.error_rate = args.real(kBadRate);
  if (!args.failed() && !(shape.error_rate > 0 && shape.error_rate < 1)) args.fail(kRateRange);
  const std::int64_t capacity = args.integer(kBadCapacity);
  if (!args.failed() && capacity <= 0) args.fail(kCapacityRange);
  shape.capacity = static_cast<std::uint64_t>(capacity);
  bool expands = false;
  while (!args.done()) {
    if (args.accept("NONSCALING")) {
      shape.scales = false;
    } else if (args.accept("EXPANSION")) {
      if (args.left() == 0) {
        args.fail(kNoExpansion);
        break;
      }
      expands = true;
      const std::int64_t expansion = args.integer(kBadExpansion);
      if (!args.failed() && expansion < 1) args.fail(kExpansionRange);
      if (!args.failed() && expansion > UINT32_MAX) args.fail(kBadExpansion);
      shape.expansion = static_cast<std::uint32_t>(expansion);
    } else {
      args.fail(schema::kSyntaxError);
    }
  }
  if (expands && !shape.scales) args.fail(kCannotExpand);
  return shape;
}

void bf_reserve(Call& call) {
  ArgReader args(call.args(), 2);
  const types::BloomShape shape = read(args);
  if (args.failed()) return call.reply().error(args.error());

  auto filter = call.edit<keyspace::BloomEdit>(0);
  if (filter.wrong_type()) return call.reply().error(schema::kWrongType);
  if (filter.existed()) return call.reply().error(kFilterExists);
  if (!filter.reserve(shape)) return call.reply().error(kFilterImpossible);
  call.reply().ok();
}

}  // namespace

extern constinit const Command bloom_reserve{
    .name = "BF.RESERVE",
    .summary = "Makes an empty bloom filter for a number of elements and a rate of false hits.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "key error_rate capacity [EXPANSION expansion] [NONSCALING]",
    .group = Group::bloom,
    .arity = at_least(4),
    .keys = key_at(1, KeyUse::rw | KeyUse::insert),
    .access = Access::write | Access::may_grow,
    .runs = on_keys(bf_reserve),
};

}  // namespace slotcar::commands
