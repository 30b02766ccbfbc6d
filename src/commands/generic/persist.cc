// PERSIST key
#include "commands/declare.h"

namespace slotcar::commands {
namespace {

void persist(Call& call) {
  const bool cleared = call.find_for_write(0) != nullptr &&
                       call.space(0).clear_expiry(call.hold(), call.db(), call.key(0));
  call.reply().integer(cleared ? 1 : 0);
}

}  // namespace

extern constinit const Command generic_persist{
    .name = "PERSIST",
    .summary = "Takes away a key's time to live.",
    .since = "2.2.0",
    .complexity = "O(1)",
    .syntax = "key",
    .group = Group::generic,
    .arity = exactly(2),
    .keys = key_at(1, KeyUse::rw | KeyUse::update),
    .access = Access::write | Access::fast,
    .acl = Acl::keyspace,
    .runs = on_keys(persist),
};

}  // namespace slotcar::commands
