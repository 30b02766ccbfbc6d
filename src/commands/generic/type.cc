// TYPE key
#include "types/type.h"

#include "commands/generic/look.h"

namespace slotcar::commands {
namespace {

void type(Call& call) {
  const Entry* entry = look(call, 0);
  call.reply().simple(entry ? types::type_name(entry->type()) : "none");
}

}  // namespace

extern constinit const Command generic_type{
    .name = "TYPE",
    .summary = "Answers what kind of value a key holds.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "key",
    .group = Group::generic,
    .arity = exactly(2),
    .keys = key_at(1, KeyUse::ro),
    .access = Access::readonly | Access::fast,
    .acl = Acl::keyspace,
    .runs = on_keys(type),
};

}  // namespace slotcar::commands
