// ZREM key member [member ...]
#include "commands/zset/sorted_set_value.h"

namespace slotcar::commands {
namespace {

void zrem(Call& call) {
  auto set = call.edit<keyspace::SortedSetEdit>(0);
  if (set.wrong_type()) return call.reply().error(schema::kWrongType);
  std::int64_t removed = 0;
  for (std::size_t i = 2; i < call.size() && set.size() > 0; ++i) {
    if (set.erase(call.arg(i))) ++removed;
  }
  if (removed > 0) set.note(EventClass::sorted_set, "zrem");
  call.reply().integer(removed);
}

}  // namespace

extern constinit const Command zset_zrem{
    .name = "ZREM",
    .summary = "Removes members from a sorted set.",
    .since = "1.2.0",
    .complexity =
        "O(M*log(N)) with N the size of the sorted set and M the number of members given.",
    .syntax = "key member [member ...]",
    .group = Group::sorted_set,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::rw | KeyUse::remove),
    .access = Access::write | Access::fast,
    .acl = Acl::sortedset,
    .runs = on_keys(zrem),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
    .element = 2,
};

}  // namespace slotcar::commands
