// HDEL key field [field ...]
#include "commands/hash/fields.h"

namespace slotcar::commands {
namespace {

void hdel(Call& call) {
  auto hash = call.edit<keyspace::HashEdit>(0);
  if (hash.wrong_type()) return call.reply().error(schema::kWrongType);
  std::int64_t removed = 0;
  for (std::size_t i = 2; i < call.size(); ++i) {
    if (hash.erase(call.arg(i))) ++removed;
  }
  if (removed > 0) hash.note(EventClass::hash, "hdel");
  call.reply().integer(removed);
}

}  // namespace

extern constinit const Command hash_hdel{
    .name = "HDEL",
    .summary = "Removes fields of a hash, and the key with the last of them.",
    .since = "2.0.0",
    .complexity = "O(N) with N the number of fields.",
    .syntax = "key field [field ...]",
    .group = Group::hash,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::rw | KeyUse::remove),
    .access = Access::write | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(hdel),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
    .element = 2,
};

}  // namespace slotcar::commands
