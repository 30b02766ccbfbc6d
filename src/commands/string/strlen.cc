// STRLEN key
#include "commands/string/string_value.h"

namespace slotcar::commands {
namespace {

void strlen(Call& call) {
  const Entry* entry = call.find(0);
  if (!absent_or_string(call, entry)) return;
  call.reply().integer(entry ? static_cast<std::int64_t>(entry->string().size()) : 0);
}

}  // namespace

extern constinit const Command string_strlen{
    .name = "STRLEN",
    .summary = "Answers the length of a string in bytes; 0 for an absent key.",
    .since = "2.2.0",
    .complexity = "O(1)",
    .syntax = "key",
    .group = Group::string,
    .arity = exactly(2),
    .keys = key_at(1, KeyUse::ro),
    .access = Access::readonly | Access::fast,
    .acl = Acl::string,
    .runs = on_keys(strlen),
};

}  // namespace slotcar::commands
