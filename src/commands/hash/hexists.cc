// HEXISTS key field
#include "commands/hash/fields.h"

namespace slotcar::commands {
namespace {

void hexists(Call& call) {
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::hash)) return;
  types::Element value;
  call.reply().integer(fields_of(call, entry).find_value(call.arg(2), value) ? 1 : 0);
}

}  // namespace

extern constinit const Command hash_hexists{
    .name = "HEXISTS",
    .summary = "Answers whether a hash has a field.",
    .since = "2.0.0",
    .complexity = "O(1)",
    .syntax = "key field",
    .group = Group::hash,
    .arity = exactly(3),
    .keys = key_at(1, KeyUse::ro),
    .access = Access::readonly | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(hexists),
    .element = 2,
};

}  // namespace slotcar::commands
