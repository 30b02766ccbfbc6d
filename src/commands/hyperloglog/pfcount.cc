// PFCOUNT key [key ...]
//
// The count of one HyperLogLog is cached in it until it changes. GET shows it, so storing it is a
// change like any other, as in Redis: it is recorded, and watchers are notified.
#include "commands/hyperloglog/hyperloglog_value.h"

namespace slotcar::commands {
namespace {

// Merging one takes some 15 us.
constexpr std::size_t kQuickMergesMax = 32;

void remember(Call& call, std::uint64_t count) {
  // Writes cannot be recorded now: then it is counted again the next time.
  if (call.hold().keeps_expired) return;
  auto string = call.edit<keyspace::StringEdit>(0);
  types::Hyperloglog(string, string.settings()).remember_count(count);
  string.effect_range(types::kHllCountOffset, types::kHllCountBytes);
}

void count_one(Call& call) {
  const Entry* entry = call.find(0);
  if (entry == nullptr) return call.reply().integer(0);
  const std::string_view bytes = hyperloglog_bytes(call, *entry);
  if (bytes.empty()) return;
  const types::HyperloglogView view(bytes);
  auto count = view.cached_count();
  if (!count) {
    count = view.count();
    if (!count) return call.reply().error(kCorruptHyperloglog);
    remember(call, *count);
  }
  call.reply().integer(static_cast<std::int64_t>(*count));
}

void pfcount(Call& call) {
  if (call.key_count() == 1) return count_one(call);
  types::HllRegisters together;
  for (std::size_t i = 0; i < call.key_count(); ++i) {
    const Entry* entry = call.find(i);
    if (entry == nullptr) continue;
    const std::string_view bytes = hyperloglog_bytes(call, *entry);
    if (bytes.empty()) return;
    if (!types::HyperloglogView(bytes).merge_into(together)) {
      return call.reply().error(kCorruptHyperloglog);
    }
  }
  call.reply().integer(static_cast<std::int64_t>(together.count()));
}

std::size_t merge_size(const Call& call) {
  return shard::argument_count(call) * (limits::kQuickElementsMax / kQuickMergesMax);
}

}  // namespace

extern constinit const Command hyperloglog_pfcount{
    .name = "PFCOUNT",
    .summary = "Estimates how many different elements one or several HyperLogLogs have seen.",
    .since = "2.8.9",
    .complexity = "O(1) for one key; O(N) for N keys, whose registers are merged first.",
    .syntax = "key [key ...]",
    .group = Group::hyperloglog,
    .arity = at_least(2),
    .keys = keys(1, -1, 1, KeyUse::rw | KeyUse::access),
    .access = Access::readonly | Access::may_replicate,
    .acl = Acl::hyperloglog,
    .runs = on_keys(pfcount),
    .when_large = WhenLarge::hold,
    .size = merge_size,
};

}  // namespace slotcar::commands
