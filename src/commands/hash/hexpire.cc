// HEXPIRE key seconds [NX | XX | GT | LT] FIELDS numfields field [field ...], and HPEXPIRE,
// HEXPIREAT, HPEXPIREAT
#include "commands/hash/field_list.h"
#include "commands/hash/field_time.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kFieldsNotPositiveHere =
    "ERR Parameter `numFields` should be greater than 0";

// The reply for each field.
constexpr std::int64_t kNoSuchField = -2;
constexpr std::int64_t kConditionNotMet = 0;
constexpr std::int64_t kTimeSet = 1;
constexpr std::int64_t kRemoved = 2;

enum class Condition {
  none,
  if_none,     // NX: only if the field has no time to live
  if_some,     // XX: only if it has one
  if_later,    // GT: only to a later time; no time to live is later than any
  if_earlier,  // LT
};

Condition read_condition(ArgReader& args) {
  if (args.accept("NX")) return Condition::if_none;
  if (args.accept("XX")) return Condition::if_some;
  if (args.accept("GT")) return Condition::if_later;
  if (args.accept("LT")) return Condition::if_earlier;
  return Condition::none;
}

bool allowed(Condition condition, UnixMs old, UnixMs fresh) {
  switch (condition) {
    case Condition::none:
      return true;
    case Condition::if_none:
      return old == kNever;
    case Condition::if_some:
      return old != kNever;
    case Condition::if_later:
      return fresh > old;
    case Condition::if_earlier:
      return fresh < old;
  }
  return false;
}

void set_times(Call& call, Since since, Unit unit) {
  auto hash = call.edit<keyspace::HashEdit>(0);
  if (hash.wrong_type()) return call.reply().error(schema::kWrongType);
  const auto when = read_field_time(call, call.arg(2), since, unit);
  if (!when) return call.reply().error(when.error().message);
  ArgReader args(call.args(), 3);
  const Condition condition = read_condition(args);
  const FieldList fields = read_field_list(args, kFieldsNotPositiveHere);
  if (args.failed()) return call.reply().error(args.error());

  call.reply().array(fields.count);
  bool touched = false;
  for (std::size_t i = 0; i < fields.count; ++i) {
    const std::string_view name = call.arg(fields.first + i);
    const auto field = hash.view().find(name);
    if (!field) {
      call.reply().integer(kNoSuchField);
    } else if (!allowed(condition, field->due, *when)) {
      call.reply().integer(kConditionNotMet);
    } else {
      call.reply().integer(hash.expire(name, *when) ? kTimeSet : kRemoved);
      touched = true;
    }
  }
  if (touched) hash.note(EventClass::hash, hash.is_over(*when) ? "hdel" : "hexpire");
}

void hexpire(Call& call) {
  set_times(call, Since::now, Unit::seconds);
}
void hpexpire(Call& call) {
  set_times(call, Since::now, Unit::milliseconds);
}
void hexpireat(Call& call) {
  set_times(call, Since::epoch, Unit::seconds);
}
void hpexpireat(Call& call) {
  set_times(call, Since::epoch, Unit::milliseconds);
}

}  // namespace

extern constinit const Command hash_hexpire{
    .name = "HEXPIRE",
    .summary = "Lets fields of a hash live for a number of seconds from now.",
    .since = "7.4.0",
    .complexity = "O(N) with N the number of fields.",
    .syntax =
        "key seconds [condition=<NX | XX | GT | LT>] FIELDS fields={numfields field [field ...]}",
    .group = Group::hash,
    .arity = at_least(6),
    .keys = key_at(1, KeyUse::rw | KeyUse::update),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(hexpire),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

extern constinit const Command hash_hpexpire{
    .name = "HPEXPIRE",
    .summary = "Lets fields of a hash live for a number of milliseconds from now.",
    .since = "7.4.0",
    .complexity = "O(N) with N the number of fields.",
    .syntax =
        "key milliseconds [condition=<NX | XX | GT | LT>] FIELDS fields={numfields field [field "
        "...]}",
    .group = Group::hash,
    .arity = at_least(6),
    .keys = key_at(1, KeyUse::rw | KeyUse::update),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(hpexpire),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

extern constinit const Command hash_hexpireat{
    .name = "HEXPIREAT",
    .summary = "Lets fields of a hash live until a Unix time in seconds.",
    .since = "7.4.0",
    .complexity = "O(N) with N the number of fields.",
    .syntax =
        "key unix-time-seconds [condition=<NX | XX | GT | LT>] FIELDS fields={numfields field "
        "[field ...]}",
    .group = Group::hash,
    .arity = at_least(6),
    .keys = key_at(1, KeyUse::rw | KeyUse::update),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(hexpireat),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

extern constinit const Command hash_hpexpireat{
    .name = "HPEXPIREAT",
    .summary = "Lets fields of a hash live until a Unix time in milliseconds.",
    .since = "7.4.0",
    .complexity = "O(N) with N the number of fields.",
    .syntax =
        "key unix-time-milliseconds [condition=<NX | XX | GT | LT>] FIELDS fields={numfields field "
        "[field ...]}",
    .group = Group::hash,
    .arity = at_least(6),
    .keys = key_at(1, KeyUse::rw | KeyUse::update),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(hpexpireat),
    .when_large = WhenLarge::hold,
    .size = shard::argument_count,
};

}  // namespace slotcar::commands
