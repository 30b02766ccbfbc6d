// HSTRLEN key field
#include "commands/hash/fields.h"

namespace slotcar::commands {
namespace {

void hstrlen(Call& call) {
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::hash)) return;
  types::Element value;
  const bool found = fields_of(call, entry).find_value(call.arg(2), value);
  call.reply().integer(found ? static_cast<std::int64_t>(value.size()) : 0);
}

}  // namespace

extern constinit const Command hash_hstrlen{
    .name = "HSTRLEN",
    .summary = "Answers the length in bytes of the value of a field of a hash.",
    .since = "3.2.0",
    .complexity = "O(1)",
    .syntax = "key field",
    .group = Group::hash,
    .arity = exactly(3),
    .keys = key_at(1, KeyUse::ro),
    .access = Access::readonly | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(hstrlen),
};

}  // namespace slotcar::commands
