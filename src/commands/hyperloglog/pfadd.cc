// PFADD key [element [element ...]]
#include "commands/hyperloglog/hyperloglog_value.h"

namespace slotcar::commands {
namespace {

void pfadd(Call& call) {
  auto string = call.edit<keyspace::StringEdit>(0);
  if (!absent_or_hyperloglog(call, string)) return;
  types::Hyperloglog counter(string, sparse_bytes_max(call));
  bool changed = false;
  bool became_dense = false;
  if (!string.existed()) {
    counter.create();
    string.effect_joined("PFADD", {});
    changed = true;
  }
  using Outcome = types::Hyperloglog::Outcome;
  Outcome outcome = Outcome::unchanged;
  for (std::size_t i = 2; i < call.size() && outcome != Outcome::corrupt; ++i) {
    const bool was_dense = counter.view().is_dense();
    outcome = counter.add(call.arg(i));
    if (outcome != Outcome::changed) continue;
    changed = true;
    became_dense |= !was_dense && counter.view().is_dense();
    // Only elements that made a difference are recorded.
    if (!became_dense) string.effect_joined("PFADD", {call.arg(i)});
  }
  if (changed) {
    counter.forget_count();
    // That depends on a setting, and other effects depend on the bytes, so the bytes are recorded.
    if (became_dense) string.effect_whole();
    string.note(EventClass::string, "pfadd");
  }
  if (outcome == Outcome::corrupt) return call.reply().error(kCorruptHyperloglog);
  call.reply().integer(changed ? 1 : 0);
}

}  // namespace

extern constinit const Command hyperloglog_pfadd{
    .name = "PFADD",
    .summary = "Adds elements to a HyperLogLog, which is made if the key is absent.",
    .since = "2.8.9",
    .complexity = "O(1) for each element",
    .syntax = "key [element [element ...]]",
    .group = Group::hyperloglog,
    .arity = at_least(2),
    .keys = key_at(1, KeyUse::rw | KeyUse::insert),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::hyperloglog,
    .runs = on_keys(pfadd),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
