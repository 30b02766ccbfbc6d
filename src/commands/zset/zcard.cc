// ZCARD key
#include "commands/zset/sorted_set_value.h"

namespace slotcar::commands {
namespace {

void zcard(Call& call) {
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::sorted_set)) return;
  call.reply().integer(static_cast<std::int64_t>(sorted_set_of(entry).size()));
}

}  // namespace

extern constinit const Command zset_zcard{
    .name = "ZCARD",
    .summary = "Answers how many members a sorted set has.",
    .since = "1.2.0",
    .complexity = "O(1)",
    .syntax = "key",
    .group = Group::sorted_set,
    .arity = exactly(2),
    .keys = key_at(1, KeyUse::ro),
    .access = Access::readonly | Access::fast,
    .acl = Acl::sortedset,
    .runs = on_keys(zcard),
};

}  // namespace slotcar::commands
