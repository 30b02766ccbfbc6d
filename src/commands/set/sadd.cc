// SADD key member [member ...]
#include "commands/collection.h"
#include "commands/set/set_value.h"
#include "keyspace/edit/set_edit.h"
#include "shard/work_size.h"

namespace slotcar::commands {
namespace {

void sadd(Call& call) {
  auto set = call.edit<keyspace::SetEdit>(0);
  if (set.wrong_type()) return call.reply().error(schema::kWrongType);
  set.expect(types::Element::of(call.arg(2)), call.size() - 2);
  std::int64_t added = 0;
  for (std::size_t i = 2; i < call.size(); ++i) {
    if (set.add(types::Element::of(call.arg(i)))) ++added;
  }
  if (added > 0) set.note(EventClass::set, "sadd");
  call.reply().integer(added);
}

}  // namespace

extern constinit const Command set_sadd{
    .name = "SADD",
    .summary = "Adds members to a set; an absent key counts as empty.",
    .since = "1.0.0",
    .complexity = "O(N) with N the number of members given.",
    .syntax = "key member [member ...]",
    .group = Group::set,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::rw | KeyUse::insert),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::set,
    .runs = on_keys(sadd),
    .when_large = WhenLarge::hold,
    .size = shard::argument_size,
    .element = 2,
};

}  // namespace slotcar::commands
