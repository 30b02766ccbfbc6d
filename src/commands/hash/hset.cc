// HSET key field value [field value ...], HMSET key field value [field value ...]
#include "commands/hash/fields.h"
#include "shard/work_size.h"

namespace slotcar::commands {
namespace {

// Whether it was done; how many of the fields are new.
bool set_all(Call& call, std::int64_t& added) {
  if (call.size() % 2 != 0) {
    wrong_number_of_arguments(call);
    return false;
  }
  auto hash = call.edit<keyspace::HashEdit>(0);
  if (hash.wrong_type()) {
    call.reply().error(schema::kWrongType);
    return false;
  }
  for (std::size_t i = 2; i < call.size(); i += 2) {
    if (hash.set(call.arg(i), call.arg(i + 1))) ++added;
  }
  hash.note(EventClass::hash, "hset");
  return true;
}

void hset(Call& call) {
  std::int64_t added = 0;
  if (set_all(call, added)) call.reply().integer(added);
}

void hmset(Call& call) {
  std::int64_t added = 0;
  if (set_all(call, added)) call.reply().ok();
}

}  // namespace

extern constinit const Command hash_hset{
    .name = "HSET",
    .summary = "Gives fields of a hash values; fields and key come into being as needed.",
    .since = "2.0.0",
    .complexity = "O(N) with N the number of fields.",
    .syntax = "key field value [field value ...]",
    .group = Group::hash,
    .arity = at_least(4),
    .keys = key_at(1, KeyUse::rw | KeyUse::update),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(hset),
    .when_large = WhenLarge::hold,
    .size = shard::pair_size,
    .element = 2,
};

extern constinit const Command hash_hmset{
    .name = "HMSET",
    .summary = "As HSET, but answers OK. (Its older form.)",
    .since = "2.0.0",
    .complexity = "O(N) with N the number of fields.",
    .syntax = "key field value [field value ...]",
    .group = Group::hash,
    .arity = at_least(4),
    .keys = key_at(1, KeyUse::rw | KeyUse::update),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(hmset),
    .when_large = WhenLarge::hold,
    .size = shard::pair_size,
};

}  // namespace slotcar::commands
