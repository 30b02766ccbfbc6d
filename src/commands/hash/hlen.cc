// HLEN key
#include "commands/hash/fields.h"

namespace slotcar::commands {
namespace {

void hlen(Call& call) {
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::hash)) return;
  call.reply().integer(static_cast<std::int64_t>(fields_of(call, entry).size()));
}

}  // namespace

extern constinit const Command hash_hlen{
    .name = "HLEN",
    .summary = "Answers how many fields a hash has.",
    .since = "2.0.0",
    .complexity = "O(1)",
    .syntax = "key",
    .group = Group::hash,
    .arity = exactly(2),
    .keys = key_at(1, KeyUse::ro),
    .access = Access::readonly | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(hlen),
};

}  // namespace slotcar::commands
