// HGETDEL key FIELDS numfields field [field ...]
#include "commands/hash/field_list.h"

namespace slotcar::commands {
namespace {

void hgetdel(Call& call) {
  auto hash = call.edit<keyspace::HashEdit>(0);
  if (hash.wrong_type()) return call.reply().error(schema::kWrongType);
  ArgReader args(call.args(), 2);
  const FieldList fields = read_field_list(args);
  if (args.failed()) return call.reply().error(args.error());

  call.reply().array(fields.count);
  bool removed = false;
  for (std::size_t i = 0; i < fields.count; ++i) {
    const std::string_view name = call.arg(fields.first + i);
    types::Element value;
    if (hash.view().find_value(name, value)) {
      reply_element(call.reply(), value);
      hash.erase(name);
      removed = true;
    } else {
      call.reply().null();
    }
  }
  if (removed) hash.note(EventClass::hash, "hdel");
}

}  // namespace

extern constinit const Command hash_hgetdel{
    .name = "HGETDEL",
    .summary = "Answers the values of fields of a hash and removes these fields.",
    .since = "8.0.0",
    .complexity = "O(N) with N the number of fields.",
    .syntax = "key FIELDS fields={numfields field [field ...]}",
    .group = Group::hash,
    .arity = at_least(5),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::remove),
    .access = Access::write | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(hgetdel),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
