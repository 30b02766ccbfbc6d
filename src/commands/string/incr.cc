// INCR key, DECR key, INCRBY key increment, DECRBY key decrement
#include <optional>

#include "commands/string/string_value.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kDecrementOverflow = "ERR decrement would overflow";

// A string's value as a number, if it is one. It need not be stored as one (APPEND).
std::optional<std::int64_t> number_in(const types::StringRef& value) {
  if (value.form == types::StringRef::Form::integer) return value.number;
  return base::parse_int64(value.text);
}

void add(Call& call, std::int64_t amount) {
  const Entry* entry = call.find_for_write(0);
  if (!absent_or_string(call, entry)) return;
  const auto old = entry ? number_in(entry->string()) : 0;
  if (!old) return call.reply().error(schema::kNotInteger);
  std::int64_t sum = 0;
  if (__builtin_add_overflow(*old, amount, &sum)) return call.reply().error(schema::kOverflow);

  call.space(0).set_integer(call.hold(), call.db(), call.key(0), sum);
  call.notify(0, EventClass::string, "incrby");
  call.reply().integer(sum);
}

void incr(Call& call) {
  add(call, 1);
}
void decr(Call& call) {
  add(call, -1);
}

void incrby(Call& call) {
  ArgReader args(call.args(), 2);
  const std::int64_t amount = args.integer();
  if (args.failed()) return call.reply().error(args.error());
  add(call, amount);
}

void decrby(Call& call) {
  ArgReader args(call.args(), 2);
  const std::int64_t amount = args.integer();
  if (args.failed()) return call.reply().error(args.error());
  if (amount == INT64_MIN) return call.reply().error(kDecrementOverflow);
  add(call, -amount);
}

}  // namespace

extern constinit const Command string_incr{
    .name = "INCR",
    .summary = "Adds one to the integer stored at a key; an absent key counts as 0.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "key",
    .group = Group::string,
    .arity = exactly(2),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::update),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::string,
    .runs = on_keys(incr),
};

extern constinit const Command string_decr{
    .name = "DECR",
    .summary = "Takes one from the integer stored at a key; an absent key counts as 0.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "key",
    .group = Group::string,
    .arity = exactly(2),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::update),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::string,
    .runs = on_keys(decr),
};

extern constinit const Command string_incrby{
    .name = "INCRBY",
    .summary = "Adds a number to the integer stored at a key; an absent key counts as 0.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "key increment",
    .group = Group::string,
    .arity = exactly(3),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::update),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::string,
    .runs = on_keys(incrby),
};

extern constinit const Command string_decrby{
    .name = "DECRBY",
    .summary = "Takes a number from the integer stored at a key; an absent key counts as 0.",
    .since = "1.0.0",
    .complexity = "O(1)",
    .syntax = "key decrement",
    .group = Group::string,
    .arity = exactly(3),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::update),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::string,
    .runs = on_keys(decrby),
};

}  // namespace slotcar::commands
