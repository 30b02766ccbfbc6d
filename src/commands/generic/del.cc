// DEL key [key ...], UNLINK key [key ...]: the same, because big values are always freed later.
#include "commands/many_keys.h"

namespace slotcar::commands {
namespace {

void remove_all(Call& call) {
  std::int64_t removed = 0;
  for_each_key(call, [&](std::size_t i) {
    if (call.space(i).remove(call.hold(), call.db(), call.key(i))) ++removed;
  });
  call.reply().integer(removed);
}

}  // namespace

extern constinit const Command generic_del{
    .name = "DEL",
    .summary = "Removes keys and answers how many there were.",
    .since = "1.0.0",
    .complexity = "O(N) with N the number of keys; big values are freed in the background.",
    .syntax = "key [key ...]",
    .group = Group::generic,
    .arity = at_least(2),
    .keys = keys(1, -1, 1, KeyUse::rm | KeyUse::remove),
    .access = Access::write,
    .acl = Acl::keyspace,
    .runs = on_keys(remove_all),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

extern constinit const Command generic_unlink{
    .name = "UNLINK",
    .summary = "Removes keys and answers how many there were; frees their values later.",
    .since = "4.0.0",
    .complexity = "O(N) with N the number of keys; big values are freed in the background.",
    .syntax = "key [key ...]",
    .group = Group::generic,
    .arity = at_least(2),
    .keys = keys(1, -1, 1, KeyUse::rm | KeyUse::remove),
    .access = Access::write | Access::fast,
    .acl = Acl::keyspace,
    .runs = on_keys(remove_all),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
