// GETDEL key
#include "commands/string/string_value.h"

namespace slotcar::commands {
namespace {

void getdel(Call& call) {
  const Entry* entry = call.find(0);
  if (!reply_found(call, entry) || entry == nullptr) return;
  call.space(0).remove(call.hold(), call.db(), call.key(0));
}

}  // namespace

extern constinit const Command string_getdel{
    .name = "GETDEL",
    .summary = "Answers the string stored at a key and removes the key.",
    .since = "6.2.0",
    .complexity = "O(1)",
    .syntax = "key",
    .group = Group::string,
    .arity = exactly(2),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::remove),
    .access = Access::write | Access::fast,
    .acl = Acl::string,
    .runs = on_keys(getdel),
};

}  // namespace slotcar::commands
