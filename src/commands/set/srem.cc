// SREM key member [member ...]
#include "commands/collection.h"
#include "commands/set/set_value.h"
#include "keyspace/edit/set_edit.h"

namespace slotcar::commands {
namespace {

void srem(Call& call) {
  auto set = call.edit<keyspace::SetEdit>(0);
  if (set.wrong_type()) return call.reply().error(schema::kWrongType);
  std::int64_t removed = 0;
  for (std::size_t i = 2; i < call.size() && set.size() > 0; ++i) {
    if (set.remove(types::Element::of(call.arg(i)))) ++removed;
  }
  if (removed > 0) set.note(EventClass::set, "srem");
  call.reply().integer(removed);
}

}  // namespace

extern constinit const Command set_srem{
    .name = "SREM",
    .summary = "Removes members from a set; the key goes with the last one.",
    .since = "1.0.0",
    .complexity = "O(N) with N the number of members given.",
    .syntax = "key member [member ...]",
    .group = Group::set,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::rw | KeyUse::remove),
    .access = Access::write | Access::fast,
    .acl = Acl::set,
    .runs = on_keys(srem),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
    .element = 2,
};

}  // namespace slotcar::commands
