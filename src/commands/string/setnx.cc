// SETNX key value
#include "commands/declare.h"

namespace slotcar::commands {
namespace {

void setnx(Call& call) {
  if (call.find_for_write(0) != nullptr) return call.reply().integer(0);
  call.space(0).set_string(call.hold(), call.db(), call.key(0), call.string_arg(2),
                           ExpiryChange::clear());
  call.notify(0, EventClass::string, "set");
  call.reply().integer(1);
}

}  // namespace

extern constinit const Command string_setnx{
    .name = "SETNX",
    .summary = "Stores a string at a key unless the key is there already.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "key value",
    .group = Group::string,
    .arity = exactly(3),
    .keys = key_at(1, KeyUse::ow | KeyUse::insert),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::string,
    .runs = on_keys(setnx),
};

}  // namespace slotcar::commands
