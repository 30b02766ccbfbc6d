// SCARD key
#include "commands/collection.h"
#include "types/set.h"

namespace slotcar::commands {
namespace {

void scard(Call& call) {
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::set)) return;
  const std::size_t size = entry != nullptr ? types::SetView(entry->cell()).size() : 0;
  call.reply().integer(static_cast<std::int64_t>(size));
}

}  // namespace

extern constinit const Command set_scard{
    .name = "SCARD",
    .summary = "Answers how many members a set has.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "key",
    .group = Group::set,
    .arity = exactly(2),
    .keys = key_at(1, KeyUse::ro),
    .access = Access::readonly | Access::fast,
    .acl = Acl::set,
    .runs = on_keys(scard),
};

}  // namespace slotcar::commands
