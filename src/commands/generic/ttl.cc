// TTL, PTTL, EXPIRETIME, PEXPIRETIME: when a key expires, from now or since 1970, in seconds
// or milliseconds. -2: no such key; -1: it has no time to live.
#include <algorithm>

#include "commands/generic/look.h"

namespace slotcar::commands {
namespace {

constexpr std::int64_t kNoKey = -2;
constexpr std::int64_t kNoExpiry = -1;

enum class Since { now, epoch };
enum class Unit { seconds, milliseconds };

// To the nearest second, without overflow at the very end of time.
std::int64_t to_seconds(std::int64_t ms) {
  return ms / 1000 + (ms % 1000 >= 500 ? 1 : 0);
}

void answer(Call& call, Since since, Unit unit) {
  const Entry* entry = look(call, 0);
  if (entry == nullptr) return call.reply().integer(kNoKey);
  if (!entry->has_expiry()) return call.reply().integer(kNoExpiry);
  std::int64_t ms = entry->expires_at();
  if (since == Since::now) ms = std::max<std::int64_t>(ms - call.now(), 0);
  call.reply().integer(unit == Unit::seconds ? to_seconds(ms) : ms);
}

void ttl(Call& call) {
  answer(call, Since::now, Unit::seconds);
}
void pttl(Call& call) {
  answer(call, Since::now, Unit::milliseconds);
}
void expiretime(Call& call) {
  answer(call, Since::epoch, Unit::seconds);
}
void pexpiretime(Call& call) {
  answer(call, Since::epoch, Unit::milliseconds);
}

}  // namespace

extern constinit const Command generic_ttl{
    .name = "TTL",
    .summary = "Answers how many seconds a key has still to live.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "key",
    .group = Group::generic,
    .arity = exactly(2),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .acl = Acl::keyspace,
    .runs = on_keys(ttl),
};

extern constinit const Command generic_pttl{
    .name = "PTTL",
    .summary = "Answers how many milliseconds a key has still to live.",
    .since = "2.6.0",
    .complexity = "O(1)",
    .syntax = "key",
    .group = Group::generic,
    .arity = exactly(2),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .acl = Acl::keyspace,
    .runs = on_keys(pttl),
};

extern constinit const Command generic_expiretime{
    .name = "EXPIRETIME",
    .summary = "Answers at which Unix time, in seconds, a key's time is over.",
    .since = "7.0.0",
    .complexity = "O(1)",
    .syntax = "key",
    .group = Group::generic,
    .arity = exactly(2),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .acl = Acl::keyspace,
    .runs = on_keys(expiretime),
};

extern constinit const Command generic_pexpiretime{
    .name = "PEXPIRETIME",
    .summary = "Answers at which Unix time, in milliseconds, a key's time is over.",
    .since = "7.0.0",
    .complexity = "O(1)",
    .syntax = "key",
    .group = Group::generic,
    .arity = exactly(2),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .acl = Acl::keyspace,
    .runs = on_keys(pexpiretime),
};

}  // namespace slotcar::commands
