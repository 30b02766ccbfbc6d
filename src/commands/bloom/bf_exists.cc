// BF.EXISTS key item
// BF.MEXISTS key item [item ...]
#include "commands/bloom/bloom_value.h"
#include "commands/collection.h"

namespace slotcar::commands {
namespace {

void look(Call& call, bool as_array) {
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::bloom)) return;
  if (as_array) call.reply().array(call.size() - 2);
  for (std::size_t i = 2; i < call.size(); ++i) {
    call.reply().boolean(entry != nullptr && filter_of(*entry).may_contain(call.arg(i)));
  }
}

void bf_exists(Call& call) {
  look(call, false);
}

void bf_mexists(Call& call) {
  look(call, true);
}

}  // namespace

extern constinit const Command bloom_exists{
    .name = "BF.EXISTS",
    .summary = "Tells whether an element may be in a bloom filter, or is certainly not.",
    .since = "1.0.0",
    .complexity = "O(K) with K the number of hashes and of layers.",
    .syntax = "key item",
    .group = Group::bloom,
    .arity = exactly(3),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .runs = on_keys(bf_exists),
};

extern constinit const Command bloom_mexists{
    .name = "BF.MEXISTS",
    .summary = "Tells of several elements whether they may be in a bloom filter.",
    .since = "1.0.0",
    .complexity = "O(N*K) with N elements and K the number of hashes and of layers.",
    .syntax = "key item [item ...]",
    .group = Group::bloom,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .runs = on_keys(bf_mexists),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
