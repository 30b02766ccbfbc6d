// SMEMBERS key
#include "commands/collection.h"
#include "commands/element_work.h"
#include "commands/set/set_value.h"

namespace slotcar::commands {
namespace {

void smembers(Call& call) {
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::set)) return;
  if (entry == nullptr) return call.reply().set(0);
  const types::SetView set(entry->cell());
  if (call.is_large(work_of(entry->cell(), set.size()))) {
    return pin_and_answer(call, entry->cell(), reply_pinned_members);
  }
  reply_members(call, set);
}

}  // namespace

extern constinit const Command set_smembers{
    .name = "SMEMBERS",
    .summary = "Answers all members of a set.",
    .since = "1.0.0",
    .complexity = "O(N) with N the size of the set; big ones are answered by the slow lane.",
    .syntax = "key",
    .group = Group::set,
    .arity = exactly(2),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::set,
    .runs = on_keys(smembers),
    .when_large = WhenLarge::pin_and_answer,
};

}  // namespace slotcar::commands
