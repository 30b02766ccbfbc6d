// HTTL key FIELDS numfields field [field ...], and HPTTL, HEXPIRETIME, HPEXPIRETIME
#include "commands/hash/field_list.h"
#include "commands/hash/field_time.h"

namespace slotcar::commands {
namespace {

constexpr std::int64_t kNoSuchField = -2;
constexpr std::int64_t kNoTime = -1;

void tell_times(Call& call, Since since, Unit unit) {
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::hash)) return;
  ArgReader args(call.args(), 2);
  const FieldList fields = read_field_list(args);
  if (args.failed()) return call.reply().error(args.error());

  const types::HashView hash = fields_of(call, entry);
  const UnixMs start = since == Since::now ? call.now() : 0;
  call.reply().array(fields.count);
  for (std::size_t i = 0; i < fields.count; ++i) {
    const auto field = hash.find(call.arg(fields.first + i));
    if (!field) {
      call.reply().integer(kNoSuchField);
    } else if (field->due == kNever) {
      call.reply().integer(kNoTime);
    } else {
      const UnixMs left = field->due - start;
      // Seconds are rounded up, as in Redis: a living field has at least a second left.
      call.reply().integer(unit == Unit::seconds ? (left + 999) / 1000 : left);
    }
  }
}

void httl(Call& call) {
  tell_times(call, Since::now, Unit::seconds);
}
void hpttl(Call& call) {
  tell_times(call, Since::now, Unit::milliseconds);
}
void hexpiretime(Call& call) {
  tell_times(call, Since::epoch, Unit::seconds);
}
void hpexpiretime(Call& call) {
  tell_times(call, Since::epoch, Unit::milliseconds);
}

}  // namespace

extern constinit const Command hash_httl{
    .name = "HTTL",
    .summary = "Answers how many seconds fields of a hash have to live.",
    .since = "7.4.0",
    .complexity = "O(N) with N the number of fields.",
    .syntax = "key FIELDS fields={numfields field [field ...]}",
    .group = Group::hash,
    .arity = at_least(5),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(httl),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

extern constinit const Command hash_hpttl{
    .name = "HPTTL",
    .summary = "Answers how many milliseconds fields of a hash have to live.",
    .since = "7.4.0",
    .complexity = "O(N) with N the number of fields.",
    .syntax = "key FIELDS fields={numfields field [field ...]}",
    .group = Group::hash,
    .arity = at_least(5),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(hpttl),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

extern constinit const Command hash_hexpiretime{
    .name = "HEXPIRETIME",
    .summary = "Answers the Unix times in seconds until which fields of a hash live.",
    .since = "7.4.0",
    .complexity = "O(N) with N the number of fields.",
    .syntax = "key FIELDS fields={numfields field [field ...]}",
    .group = Group::hash,
    .arity = at_least(5),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(hexpiretime),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

extern constinit const Command hash_hpexpiretime{
    .name = "HPEXPIRETIME",
    .summary = "Answers the Unix times in milliseconds until which fields of a hash live.",
    .since = "7.4.0",
    .complexity = "O(N) with N the number of fields.",
    .syntax = "key FIELDS fields={numfields field [field ...]}",
    .group = Group::hash,
    .arity = at_least(5),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(hpexpiretime),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
