// EXISTS key [key ...]
#include "commands/generic/look.h"
#include "commands/many_keys.h"

namespace slotcar::commands {
namespace {

void exists(Call& call) {
  if (has_planned_reads(call)) {
    call.hold().touch = false;
    return read_in_parts(call, PresentKeys::answer);
  }
  std::int64_t present = 0;
  for_each_key(call, [&](std::size_t i) {
    if (look(call, i) != nullptr) ++present;
  });
  call.reply().integer(present);
}

}  // namespace

extern constinit const Command generic_exists{
    .name = "EXISTS",
    .summary = "Answers how many of the keys are there; one named twice counts twice.",
    .since = "1.0.0",
    .complexity = "O(N) with N the number of keys.",
    .syntax = "key [key ...]",
    .group = Group::generic,
    .arity = at_least(2),
    .keys = keys(1, -1, 1, KeyUse::ro),
    .access = Access::readonly | Access::fast,
    .acl = Acl::keyspace,
    .runs = on_keys(exists),
    .when_large = WhenLarge::parts,
    .size = shard::argument_count,
    .prepare = plan_key_reads<PresentKeys>,
};

}  // namespace slotcar::commands
