// MSET key value [key value ...], MSETNX key value [key value ...]
#include <string>

#include "commands/many_keys.h"

namespace slotcar::commands {
namespace {

// Arguments are name, key, value, key, value...: the i-th key's value follows it.
bool has_pairs(Call& call) {
  if (call.size() % 2 == 1) return true;
  call.reply().error("ERR wrong number of arguments for '" + call.command().lower_name +
                     "' command");
  return false;
}

// In the order of the arguments, so that the last value of a repeated key wins.
void store_all(Call& call) {
  for_each_key(call, [&](std::size_t i) {
    call.space(i).set_string(call.hold(), call.db(), call.key(i), call.string_arg(2 * i + 2),
                             ExpiryChange::clear());
    call.notify(i, EventClass::string, "set");
  });
}

void mset(Call& call) {
  if (!has_pairs(call)) return;
  store_all(call);
  call.reply().ok();
}

void msetnx(Call& call) {
  if (!has_pairs(call)) return;
  for (std::size_t i = 0; i < call.key_count(); ++i) {
    if (call.find_for_write(i) != nullptr) return call.reply().integer(0);
  }
  store_all(call);
  call.reply().integer(1);
}

}  // namespace

extern constinit const Command string_mset{
    .name = "MSET",
    .summary = "Stores several strings at once: no other client sees only some of them.",
    .since = "1.0.1",
    .complexity = "O(N) with N the number of keys.",
    .syntax = "key value [key value ...]",
    .group = Group::string,
    .arity = at_least(3),
    .keys = keys(1, -1, 2, KeyUse::ow | KeyUse::update),
    .access = Access::write | Access::may_grow,
    .acl = Acl::string,
    .runs = on_keys(mset),
    .when_large = WhenLarge::hold,
    .size = shard::pair_count,
};

extern constinit const Command string_msetnx{
    .name = "MSETNX",
    .summary = "Stores several strings at once, or none if one of the keys is there already.",
    .since = "1.0.1",
    .complexity = "O(N) with N the number of keys.",
    .syntax = "key value [key value ...]",
    .group = Group::string,
    .arity = at_least(3),
    .keys = keys(1, -1, 2, KeyUse::ow | KeyUse::insert),
    .access = Access::write | Access::may_grow,
    .acl = Acl::string,
    .runs = on_keys(msetnx),
    .when_large = WhenLarge::hold,
    .size = shard::pair_count,
};

}  // namespace slotcar::commands
