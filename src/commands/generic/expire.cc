// EXPIRE key seconds [NX | XX | GT | LT], and PEXPIRE, EXPIREAT, PEXPIREAT
#include <string>
#include <string_view>

#include "base/result.h"
#include "commands/declare.h"

namespace slotcar::commands {
namespace {

enum class Since { now, epoch };
enum class Unit { seconds, milliseconds };

struct Rules {
  bool if_none = false;     // NX: only if the key has no time to live
  bool if_some = false;     // XX: only if it has one
  bool if_later = false;    // GT: only to a later time; no time to live is later than any
  bool if_earlier = false;  // LT
};

Result<Rules> read_rules(ArgReader& args) {
  Rules rules;
  while (!args.done()) {
    if (args.accept("NX")) {
      rules.if_none = true;
    } else if (args.accept("XX")) {
      rules.if_some = true;
    } else if (args.accept("GT")) {
      rules.if_later = true;
    } else if (args.accept("LT")) {
      rules.if_earlier = true;
    } else {
      return Error{"ERR Unsupported option " + std::string(args.next())};
    }
  }
  if (rules.if_none && (rules.if_some || rules.if_later || rules.if_earlier)) {
    return Error{"ERR NX and XX, GT or LT options at the same time are not compatible"};
  }
  if (rules.if_later && rules.if_earlier) {
    return Error{"ERR GT and LT options at the same time are not compatible"};
  }
  return rules;
}

// Times in the past are allowed (they remove the key), but not those that overflow.
Result<UnixMs> read_time(const Call& call, std::string_view text, Since since, Unit unit) {
  const auto number = base::parse_int64(text);
  if (!number) return Error{std::string(schema::kNotInteger)};
  UnixMs when = *number;
  if ((unit == Unit::seconds && __builtin_mul_overflow(when, 1000, &when)) ||
      (since == Since::now && __builtin_add_overflow(when, call.now(), &when))) {
    return Error{"ERR invalid expire time in '" + call.command().lower_name + "' command"};
  }
  return when;
}

bool allowed(const Rules& rules, const Entry& entry, UnixMs when) {
  const bool has_one = entry.has_expiry();
  if (rules.if_none && has_one) return false;
  if (rules.if_some && !has_one) return false;
  if (rules.if_later && (!has_one || when <= entry.expires_at())) return false;
  if (rules.if_earlier && has_one && when >= entry.expires_at()) return false;
  return true;
}

void set_time(Call& call, Since since, Unit unit) {
  ArgReader args(call.args(), 3);
  const auto rules = read_rules(args);
  if (!rules) return call.reply().error(rules.error().message);
  const auto when = read_time(call, call.arg(2), since, unit);
  if (!when) return call.reply().error(when.error().message);

  const Entry* entry = call.find_for_write(0);
  if (entry == nullptr || !allowed(*rules, *entry, *when)) return call.reply().integer(0);
  call.space(0).set_expiry(call.hold(), call.db(), call.key(0), *when);
  call.reply().integer(1);
}

void expire(Call& call) {
  set_time(call, Since::now, Unit::seconds);
}
void pexpire(Call& call) {
  set_time(call, Since::now, Unit::milliseconds);
}
void expireat(Call& call) {
  set_time(call, Since::epoch, Unit::seconds);
}
void pexpireat(Call& call) {
  set_time(call, Since::epoch, Unit::milliseconds);
}

}  // namespace

extern constinit const Command generic_expire{
    .name = "EXPIRE",
    .summary = "Lets a key live for a number of seconds from now.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "key seconds [condition=<NX | XX | GT | LT>@7.0.0]",
    .group = Group::generic,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::rw | KeyUse::update),
    .access = Access::write | Access::fast,
    .acl = Acl::keyspace,
    .runs = on_keys(expire),
};

extern constinit const Command generic_pexpire{
    .name = "PEXPIRE",
    .summary = "Lets a key live for a number of milliseconds from now.",
    .since = "2.6.0",
    .complexity = "O(1)",
    .syntax = "key milliseconds [condition=<NX | XX | GT | LT>@7.0.0]",
    .group = Group::generic,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::rw | KeyUse::update),
    .access = Access::write | Access::fast,
    .acl = Acl::keyspace,
    .runs = on_keys(pexpire),
};

extern constinit const Command generic_expireat{
    .name = "EXPIREAT",
    .summary = "Lets a key live until a Unix time in seconds.",
    .since = "1.2.0",
    .complexity = "O(1)",
    .syntax = "key unix-time-seconds [condition=<NX | XX | GT | LT>@7.0.0]",
    .group = Group::generic,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::rw | KeyUse::update),
    .access = Access::write | Access::fast,
    .acl = Acl::keyspace,
    .runs = on_keys(expireat),
};

extern constinit const Command generic_pexpireat{
    .name = "PEXPIREAT",
    .summary = "Lets a key live until a Unix time in milliseconds.",
    .since = "2.6.0",
    .complexity = "O(1)",
    .syntax = "key unix-time-milliseconds [condition=<NX | XX | GT | LT>@7.0.0]",
    .group = Group::generic,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::rw | KeyUse::update),
    .access = Access::write | Access::fast,
    .acl = Acl::keyspace,
    .runs = on_keys(pexpireat),
};

}  // namespace slotcar::commands
