// TOUCH key [key ...]
#include <utility>

#include "commands/many_keys.h"

namespace slotcar::commands {
namespace {

// Touches even with CLIENT NO-TOUCH, because this command asks for it.
void touch(Call& call) {
  const bool as_set = std::exchange(call.hold().touch, true);
  if (has_planned_reads(call)) return read_in_parts(call, PresentKeys::answer);
  std::int64_t present = 0;
  for_each_key(call, [&](std::size_t i) {
    if (call.find(i) != nullptr) ++present;
  });
  call.hold().touch = as_set;
  call.reply().integer(present);
}

}  // namespace

extern constinit const Command generic_touch{
    .name = "TOUCH",
    .summary = "Marks keys as just used and answers how many of them are there.",
    .since = "3.2.1",
    .complexity = "O(N) with N the number of keys.",
    .syntax = "key [key ...]",
    .group = Group::generic,
    .arity = at_least(2),
    .keys = keys(1, -1, 1, KeyUse::ro),
    .access = Access::readonly | Access::fast,
    .acl = Acl::keyspace,
    .runs = on_keys(touch),
    .when_large = WhenLarge::parts,
    .size = shard::argument_count,
    .prepare = plan_key_reads<PresentKeys>,
};

}  // namespace slotcar::commands
