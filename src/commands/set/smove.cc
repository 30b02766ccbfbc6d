// SMOVE source destination member
#include "commands/collection.h"
#include "keyspace/edit/set_edit.h"
#include "shard/work_size.h"

namespace slotcar::commands {
namespace {

constexpr std::size_t kFrom = 0;
constexpr std::size_t kTo = 1;

void smove(Call& call) {
  const types::Element member = types::Element::of(call.arg(3));
  const Entry* source = call.find_for_write(kFrom);
  if (source == nullptr) return call.reply().integer(0);
  const Entry* target = call.find_for_write(kTo);
  if (!absent_or(call, source, types::Type::set) || !absent_or(call, target, types::Type::set)) {
    return;
  }
  if (source == target) {
    return call.reply().integer(types::SetView(source->cell()).contains(member) ? 1 : 0);
  }
  {
    auto set = call.edit<keyspace::SetEdit>(kFrom);
    if (!set.remove(member)) return call.reply().integer(0);
    set.note(EventClass::set, "srem");
  }
  auto set = call.edit<keyspace::SetEdit>(kTo);
  if (set.add(member)) set.note(EventClass::set, "sadd");
  call.reply().integer(1);
}

}  // namespace

extern constinit const Command set_smove{
    .name = "SMOVE",
    .summary = "Moves a member from one set to another.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "source destination member",
    .group = Group::set,
    .arity = exactly(4),
    .keys = {key_at(1, KeyUse::rw | KeyUse::access | KeyUse::remove),
             key_at(2, KeyUse::rw | KeyUse::insert)},
    .access = Access::write | Access::fast,
    .acl = Acl::set,
    .runs = on_keys(smove),
    .when_large = WhenLarge::hold,
    .size = shard::argument_size,
};

}  // namespace slotcar::commands
