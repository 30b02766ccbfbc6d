// GETSET key value
#include "commands/string/string_value.h"

namespace slotcar::commands {
namespace {

void getset(Call& call) {
  if (!reply_found(call, call.find(0))) return;
  call.space(0).set_string(call.hold(), call.db(), call.key(0), call.string_arg(2),
                           ExpiryChange::clear());
  call.notify(0, EventClass::string, "set");
}

}  // namespace

extern constinit const Command string_getset{
    .name = "GETSET",
    .summary = "Stores a string at a key and answers the one that was there before.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "key value",
    .group = Group::string,
    .arity = exactly(3),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::update),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::string,
    .runs = on_keys(getset),
};

}  // namespace slotcar::commands
