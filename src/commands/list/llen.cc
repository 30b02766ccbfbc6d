// LLEN key
#include "commands/list/list_value.h"

namespace slotcar::commands {
namespace {

void llen(Call& call) {
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::list)) return;
  const std::size_t size = entry == nullptr ? 0 : ListView(entry->cell()).size();
  call.reply().integer(static_cast<std::int64_t>(size));
}

}  // namespace

extern constinit const Command list_llen{
    .name = "LLEN",
    .summary = "Answers how many elements a list has.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "key",
    .group = Group::list,
    .arity = exactly(2),
    .keys = key_at(1, KeyUse::ro),
    .access = Access::readonly | Access::fast,
    .acl = Acl::list,
    .runs = on_keys(llen),
};

}  // namespace slotcar::commands
