// ZPOPMIN key [count], ZPOPMAX key [count], ZMPOP numkeys key [key ...] <MIN | MAX> [COUNT count]
#include <string_view>

#include "commands/zset/sorted_set_value.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kNumkeys = "ERR numkeys should be greater than 0";
constexpr std::string_view kCount = "ERR count should be greater than 0";

// The `count` elements at one end, in the order in which they would be popped one by one.
template <class Reply>
void pop(Call& call, std::size_t key, std::size_t count, bool from_the_end, const Reply& reply) {
  auto set = call.edit<keyspace::SortedSetEdit>(key);
  const std::size_t size = set.size();
  set.view().walk(from_the_end ? size - 1 : 0, count, from_the_end, reply);
  set.erase_ranks(from_the_end ? size - count : 0, count);
}

void pop_command(Call& call, bool from_the_end) {
  ArgReader args(call.args(), 2);
  if (args.left() > 1) return call.reply().error(schema::kSyntaxError);
  const bool has_count = !args.done();
  const std::int64_t wanted = has_count ? args.integer(schema::kMustBePositive) : 1;
  if (wanted < 0) args.fail(schema::kMustBePositive);
  if (args.failed()) return call.reply().error(args.error());

  const Entry* entry = call.find_for_write(0);
  if (!absent_or(call, entry, types::Type::sorted_set)) return;
  const std::size_t count = std::min(sorted_set_of(entry).size(), static_cast<std::size_t>(wanted));
  if (count == 0) return call.reply().array(0);
  if (has_count) return pop(call, 0, count, from_the_end, ElementsReply(call, count, true));
  // A single one is no list of pairs, whatever the protocol.
  call.reply().array(2);
  pop(call, 0, 1, from_the_end, [&](const types::Scored& element) {
    reply_element(call.reply(), element.member);
    call.reply().real(element.score);
  });
}

void zpopmin(Call& call) {
  pop_command(call, false);
}

void zpopmax(Call& call) {
  pop_command(call, true);
}

struct Request {
  bool from_the_end = false;
  std::int64_t count = 1;
};

Request read(ArgReader& args) {
  Request request;
  const std::int64_t keys = args.integer(kNumkeys);
  if (keys < 1) args.fail(kNumkeys);
  if (keys >= static_cast<std::int64_t>(args.left())) args.fail(schema::kSyntaxError);
  for (std::int64_t i = 0; i < keys && !args.failed(); ++i) args.next();
  if (args.failed()) return request;
  if (args.accept("MAX")) {
    request.from_the_end = true;
  } else if (!args.accept("MIN")) {
    args.fail(schema::kSyntaxError);
  }
  if (args.accept_with("COUNT", 1)) {
    request.count = args.integer(kCount);
    if (request.count < 1) args.fail(kCount);
  }
  if (!args.done()) args.fail(schema::kSyntaxError);
  return request;
}

void zmpop(Call& call) {
  ArgReader args(call.args());
  const Request request = read(args);
  if (args.failed()) return call.reply().error(args.error());
  // The first key that is there decides, even if it is of another type.
  for (std::size_t i = 0; i < call.key_count(); ++i) {
    const Entry* entry = call.find_for_write(i);
    if (entry == nullptr) continue;
    if (!absent_or(call, entry, types::Type::sorted_set)) return;
    const std::size_t count =
        std::min(sorted_set_of(entry).size(), static_cast<std::size_t>(request.count));
    call.reply().array(2);
    call.reply().bulk(call.key(i).name);
    call.reply().array(count);
    return pop(call, i, count, request.from_the_end, [&](const types::Scored& element) {
      call.reply().array(2);
      reply_element(call.reply(), element.member);
      call.reply().real(element.score);
    });
  }
  call.reply().null_array();
}

}  // namespace

extern constinit const Command zset_zpopmin{
    .name = "ZPOPMIN",
    .summary = "Removes the members with the lowest scores and answers them.",
    .since = "5.0.0",
    .complexity =
        "O(M*log(N)) with N the size of the sorted set and M the number of members popped.",
    .syntax = "key [count]",
    .group = Group::sorted_set,
    .arity = at_least(2),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::remove),
    .access = Access::write | Access::fast,
    .acl = Acl::sortedset,
    .runs = on_keys(zpopmin),
};

extern constinit const Command zset_zpopmax{
    .name = "ZPOPMAX",
    .summary = "Removes the members with the highest scores and answers them.",
    .since = "5.0.0",
    .complexity =
        "O(M*log(N)) with N the size of the sorted set and M the number of members popped.",
    .syntax = "key [count]",
    .group = Group::sorted_set,
    .arity = at_least(2),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::remove),
    .access = Access::write | Access::fast,
    .acl = Acl::sortedset,
    .runs = on_keys(zpopmax),
};

extern constinit const Command zset_zmpop{
    .name = "ZMPOP",
    .summary = "Pops members from the first of several sorted sets that is there.",
    .since = "7.0.0",
    .complexity =
        "O(K)+O(M*log(N)) with K the number of keys, N the size of the sorted set and M the "
        "number of members popped.",
    .syntax = "numkeys key [key ...] <MIN | MAX> [COUNT count]",
    .group = Group::sorted_set,
    .arity = at_least(4),
    .keys = schema::keys_counted_at(1, KeyUse::rw | KeyUse::access | KeyUse::remove),
    .access = Access::write,
    .acl = Acl::sortedset,
    .runs = on_keys(zmpop),
    .cost = shard::cost_of_many_keys,
};

}  // namespace slotcar::commands
