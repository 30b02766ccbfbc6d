// PFMERGE destkey [sourcekey [sourcekey ...]]
#include "commands/hyperloglog/hyperloglog_value.h"

namespace slotcar::commands {
namespace {

constexpr std::size_t kQuickMergesMax = 32;

// The registers of all keys, the target's own included. False: the error was sent.
bool gather(Call& call, types::HllRegisters& together, bool& dense) {
  for (std::size_t i = 0; i < call.key_count(); ++i) {
    const Entry* entry = call.find(i);
    if (entry == nullptr) continue;
    const std::string_view bytes = hyperloglog_bytes(call, *entry);
    if (bytes.empty()) return false;
    const types::HyperloglogView view(bytes);
    dense |= view.is_dense();
    if (!view.merge_into(together)) {
      call.reply().error(kCorruptHyperloglog);
      return false;
    }
  }
  return true;
}

void pfmerge(Call& call) {
  types::HllRegisters together;
  bool dense = false;
  if (!gather(call, together, dense)) return;

  auto string = call.edit<keyspace::StringEdit>(0);
  types::Hyperloglog target(string, string.settings());
  if (!string.existed()) target.create();
  // The target was found valid above, so neither step can fail.
  if (dense) target.become_dense();
  for (std::size_t i = 0; i < types::kHllRegisters; ++i) {
    if (together.values[i] != 0) target.raise(i, together.values[i]);
  }
  target.forget_count();
  string.effect_whole();
  string.note(EventClass::string, "pfadd");
  call.reply().ok();
}

std::size_t merge_size(const Call& call) {
  return shard::argument_count(call) * (limits::kQuickElementsMax / kQuickMergesMax);
}

}  // namespace

extern constinit const Command hyperloglog_pfmerge{
    .name = "PFMERGE",
    .summary = "Merges HyperLogLogs into one that has seen what any of them has.",
    .since = "2.8.9",
    .complexity = "O(N) to merge N HyperLogLogs",
    .syntax = "destkey [sourcekey [sourcekey ...]]",
    .group = Group::hyperloglog,
    .arity = at_least(2),
    .keys = {key_at(1, KeyUse::rw | KeyUse::access | KeyUse::insert),
             keys(2, -1, 1, KeyUse::ro | KeyUse::access)},
    .access = Access::write | Access::may_grow,
    .acl = Acl::hyperloglog,
    .runs = on_keys(pfmerge),
    .when_large = WhenLarge::hold,
    .size = merge_size,
};

}  // namespace slotcar::commands
