// HINCRBY key field increment
#include "commands/hash/fields.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kNotAnInteger = "ERR hash value is not an integer";

void hincrby(Call& call) {
  const auto increment = base::parse_int64(call.arg(3));
  if (!increment) return call.reply().error(schema::kNotInteger);

  auto hash = call.edit<keyspace::HashEdit>(0);
  if (hash.wrong_type()) return call.reply().error(schema::kWrongType);
  const auto field = hash.view().find(call.arg(2));
  if (field && !field->value.is_integer) return call.reply().error(kNotAnInteger);
  std::int64_t sum = field ? field->value.number : 0;
  if (__builtin_add_overflow(sum, *increment, &sum)) return call.reply().error(schema::kOverflow);

  char digits[24];
  const std::string_view text{digits, static_cast<std::size_t>(base::print_int64(digits, sum))};
  if (field) {
    hash.set_keeping_time(*field, call.arg(2), text);
  } else {
    hash.set(call.arg(2), text);
  }
  hash.note(EventClass::hash, "hincrby");
  call.reply().integer(sum);
}

}  // namespace

extern constinit const Command hash_hincrby{
    .name = "HINCRBY",
    .summary = "Adds a number to the integer in a field of a hash; an absent field counts as 0.",
    .since = "2.0.0",
    .complexity = "O(1)",
    .syntax = "key field increment",
    .group = Group::hash,
    .arity = exactly(4),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::update),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(hincrby),
    .element = 2,
};

}  // namespace slotcar::commands
