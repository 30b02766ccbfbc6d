// SISMEMBER key member, SMISMEMBER key member [member ...]
#include "commands/collection.h"
#include "commands/set/set_value.h"

namespace slotcar::commands {
namespace {

bool is_member(const Entry* entry, std::string_view member) {
  return entry != nullptr && types::SetView(entry->cell()).contains(types::Element::of(member));
}

void sismember(Call& call) {
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::set)) return;
  call.reply().integer(is_member(entry, call.arg(2)) ? 1 : 0);
}

void smismember(Call& call) {
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::set)) return;
  call.reply().array(call.size() - 2);
  for (std::size_t i = 2; i < call.size(); ++i) {
    call.reply().integer(is_member(entry, call.arg(i)) ? 1 : 0);
  }
}

}  // namespace

extern constinit const Command set_sismember{
    .name = "SISMEMBER",
    .summary = "Answers whether something is a member of a set.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "key member",
    .group = Group::set,
    .arity = exactly(3),
    .keys = key_at(1, KeyUse::ro),
    .access = Access::readonly | Access::fast,
    .acl = Acl::set,
    .runs = on_keys(sismember),
    .element = 2,
};

extern constinit const Command set_smismember{
    .name = "SMISMEMBER",
    .summary = "Answers for each of several things whether it is a member of a set.",
    .since = "6.2.0",
    .complexity = "O(N) with N the number of members asked for.",
    .syntax = "key member [member ...]",
    .group = Group::set,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .acl = Acl::set,
    .runs = on_keys(smismember),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
