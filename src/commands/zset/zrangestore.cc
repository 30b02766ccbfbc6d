// ZRANGESTORE dst src min max [BYSCORE | BYLEX] [REV] [LIMIT offset count]
#include "commands/zset/algebra.h"
#include "commands/zset/range.h"

namespace slotcar::commands {
namespace {

RangeRequest read(Call& call, ArgReader& args) {
  return read_range(args, call.args(), {.may_choose = true, .stores = true});
}

bool find(Call& call, LongStore& store) {
  ArgReader args(call.args(), 3);
  const RangeRequest request = read(call, args);
  if (args.failed()) {
    call.reply().error(args.error());
    return false;
  }
  const Entry* entry = store.look_at(call, 1);
  if (!absent_or(call, entry, types::Type::sorted_set)) return false;
  store.takes_long = call.is_large(request.ranks(sorted_set_of(entry)).count());
  return true;
}

void work(Call& call, LongStore& store) {
  ArgReader args(call.args(), 3);
  const RangeRequest request = read(call, args);
  const types::SortedSetView view(store.sources[0].seen);
  const Ranks ranks = request.ranks(view);
  types::SortedSet result(store.result, call.settings().keyspace.types);
  result.expect(ranks.count());
  view.walk(ranks.from, ranks.count(), false, [&](const types::Scored& element) {
    types::Element::Scratch scratch;
    result.append(element.score, element.member.view(scratch));
  });
}

constexpr StoreSteps kSteps{
    .find = find, .work = work, .store = store_sorted_set, .result = types::Type::sorted_set};

void zrangestore(Call& call) {
  call.state<LongStore>().run(call, kSteps);
}

}  // namespace

extern constinit const Command zset_zrangestore{
    .name = "ZRANGESTORE",
    .summary = "Stores a range of a sorted set under another key.",
    .since = "6.2.0",
    .complexity =
        "O(log(N)+M) with N the size of the sorted set and M the number of members stored.",
    .syntax =
        "dst src min:string max:string [sortby=<BYSCORE | BYLEX>] [REV] [LIMIT {offset count}]",
    .group = Group::sorted_set,
    .arity = at_least(5),
    .keys = {key_at(1, KeyUse::ow | KeyUse::update), key_at(2, KeyUse::ro | KeyUse::access)},
    .access = Access::write | Access::may_grow,
    .acl = Acl::sortedset,
    .runs = on_keys(zrangestore),
    .when_large = WhenLarge::store,
};

}  // namespace slotcar::commands
