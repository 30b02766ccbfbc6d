// MGET key [key ...]
#include "commands/many_keys.h"
#include "commands/string/string_value.h"

namespace slotcar::commands {
namespace {

void mget(Call& call) {
  call.reply().array(call.key_count());
  for_each_key(call, [&](std::size_t i) {
    const Entry* entry = call.find(i);
    if (entry != nullptr && entry->is_string()) {
      reply_string(call.reply(), entry->string());
    } else {
      call.reply().null();  // also for other types: one wrong type must not fail the others
    }
  });
}

}  // namespace

extern constinit const Command string_mget{
    .name = "MGET",
    .summary = "Answers the strings stored at several keys, all of one moment.",
    .since = "1.0.0",
    .complexity = "O(N) with N the number of keys.",
    .syntax = "key [key ...]",
    .group = Group::string,
    .arity = at_least(2),
    .keys = keys(1, -1, 1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .acl = Acl::string,
    .runs = on_keys(mget),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
