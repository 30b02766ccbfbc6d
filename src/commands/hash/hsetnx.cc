// HSETNX key field value
#include "commands/hash/fields.h"
#include "shard/work_size.h"

namespace slotcar::commands {
namespace {

void hsetnx(Call& call) {
  auto hash = call.edit<keyspace::HashEdit>(0);
  if (hash.wrong_type()) return call.reply().error(schema::kWrongType);
  types::Element value;
  if (hash.view().find_value(call.arg(2), value)) return call.reply().integer(0);
  hash.set(call.arg(2), call.arg(3));
  hash.note(EventClass::hash, "hset");
  call.reply().integer(1);
}

}  // namespace

extern constinit const Command hash_hsetnx{
    .name = "HSETNX",
    .summary = "Gives a field of a hash a value if there is no such field yet.",
    .since = "2.0.0",
    .complexity = "O(1)",
    .syntax = "key field value",
    .group = Group::hash,
    .arity = exactly(4),
    .keys = key_at(1, KeyUse::rw | KeyUse::insert),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(hsetnx),
    .when_large = WhenLarge::hold,
    .size = shard::argument_size,
};

}  // namespace slotcar::commands
