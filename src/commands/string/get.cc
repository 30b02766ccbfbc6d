// GET key
#include "commands/string/string_value.h"

namespace slotcar::commands {
namespace {

void get(Call& call) {
  reply_found(call, call.find(0));
}

}  // namespace

extern constinit const Command string_get{
    .name = "GET",
    .summary = "Answers the string stored at a key.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "key",
    .group = Group::string,
    .arity = exactly(2),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .acl = Acl::string,
    .runs = on_keys(get),
};

}  // namespace slotcar::commands
