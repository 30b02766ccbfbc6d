// BF.ADD key item
// BF.MADD key item [item ...]
#include "commands/bloom/bloom_value.h"

namespace slotcar::commands {
namespace {

void add(Call& call, bool as_array) {
  auto filter = call.edit<keyspace::BloomEdit>(0);
  if (filter.wrong_type()) return call.reply().error(schema::kWrongType);
  if (!filter.existed() && !filter.reserve({})) return call.reply().error(kFilterImpossible);
  add_elements(call, filter, 2, as_array);
}

void bf_add(Call& call) {
  add(call, false);
}

void bf_madd(Call& call) {
  add(call, true);
}

}  // namespace

extern constinit const Command bloom_add{
    .name = "BF.ADD",
    .summary = "Adds an element to a bloom filter, which is made if the key is absent.",
    .since = "1.0.0",
    .complexity = "O(K) with K the number of hashes and of layers.",
    .syntax = "key item",
    .group = Group::bloom,
    .arity = exactly(3),
    .keys = key_at(1, KeyUse::rw | KeyUse::insert),
    .access = Access::write | Access::may_grow,
    .runs = on_keys(bf_add),
};

extern constinit const Command bloom_madd{
    .name = "BF.MADD",
    .summary = "Adds elements to a bloom filter, which is made if the key is absent.",
    .since = "1.0.0",
    .complexity = "O(N*K) with N elements and K the number of hashes and of layers.",
    .syntax = "key item [item ...]",
    .group = Group::bloom,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::rw | KeyUse::insert),
    .access = Access::write | Access::may_grow,
    .runs = on_keys(bf_madd),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
