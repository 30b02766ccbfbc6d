// BF.INSERT key [CAPACITY capacity] [ERROR error] [EXPANSION expansion] [NOCREATE] [NONSCALING]
//           ITEMS item [item ...]
#include <string>

#include "commands/bloom/bloom_value.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kUnknown = "Unknown argument received";
constexpr std::string_view kBadArgument = "Bad argument received";
constexpr std::string_view kBadRate = "Bad error rate";
constexpr std::string_view kBadCapacity = "Bad capacity";
constexpr std::string_view kBadExpansion = "Bad expansion";
constexpr std::string_view kTooFew = "ERR wrong number of arguments for 'bf.insert' command";

struct Request {
  types::BloomShape shape;
  bool creates = true;
  std::size_t first_item = 0;
};

Request read(ArgReader& args) {
  Request request;
  double error_rate = request.shape.error_rate;
  auto capacity = static_cast<std::int64_t>(request.shape.capacity);
  std::int64_t expansion = request.shape.expansion;
  while (!args.done() && request.first_item == 0) {
    if (args.accept("ITEMS")) {
      request.first_item = args.position();
    } else if (args.accept("NOCREATE")) {
      request.creates = false;
    } else if (args.accept("NONSCALING")) {
      request.shape.scales = false;
    } else if (args.left() == 1) {
      args.fail(kTooFew);
    } else if (args.accept("ERROR")) {
      error_rate = args.real(kBadRate);
    } else if (args.accept("CAPACITY")) {
      capacity = args.integer(kBadCapacity);
    } else if (args.accept("EXPANSION")) {
      expansion = args.integer(kBadExpansion);
    } else {
      args.fail(kUnknown);
    }
  }
  if (request.first_item == 0 || args.left() == 0) args.fail(kTooFew);
  if (!(error_rate > 0 && error_rate < 1) || capacity < 1 || expansion < 1 ||
      expansion > UINT32_MAX) {
    args.fail(kBadArgument);
  }
  request.shape.error_rate = error_rate;
  request.shape.capacity = static_cast<std::uint64_t>(capacity);
  request.shape.expansion = static_cast<std::uint32_t>(expansion);
  return request;
}

void bf_insert(Call& call) {
  ArgReader args(call.args(), 2);
  const Request request = read(args);
  if (args.failed()) return call.reply().error(args.error());

  auto filter = call.edit<keyspace::BloomEdit>(0);
  if (filter.wrong_type()) return call.reply().error(schema::kWrongType);
  if (!filter.existed()) {
    if (!request.creates) return call.reply().error(kNoFilter);
    if (!filter.reserve(request.shape)) return call.reply().error(kFilterImpossible);
  }
  add_elements(call, filter, request.first_item, true);
}

}  // namespace

extern constinit const Command bloom_insert{
    .name = "BF.INSERT",
    .summary = "Adds elements to a bloom filter, and says how to make it if the key is absent.",
    .since = "1.0.0",
    .complexity = "O(N*K) with N elements and K the number of hashes and of layers.",
    .syntax =
        "key [CAPACITY capacity] [ERROR error] [EXPANSION expansion] [NOCREATE] [NONSCALING] "
        "ITEMS item [item ...]",
    .group = Group::bloom,
    .arity = at_least(4),
    .keys = key_at(1, KeyUse::rw | KeyUse::insert),
    .access = Access::write | Access::may_grow,
    .runs = on_keys(bf_insert),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
