// HINCRBYFLOAT key field increment
#include <cmath>
#include <string>

#include "commands/hash/fields.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kNotAFloat = "ERR hash value is not a float";
constexpr std::string_view kIncrementNotFinite = "ERR value is NaN or Infinity";
constexpr std::string_view kSumNotFinite = "ERR increment would produce NaN or Infinity";

void hincrbyfloat(Call& call) {
  const auto increment = base::parse_long_double(call.arg(3));
  if (!increment) return call.reply().error(schema::kNotFloat);
  if (!std::isfinite(*increment)) return call.reply().error(kIncrementNotFinite);

  auto hash = call.edit<keyspace::HashEdit>(0);
  if (hash.wrong_type()) return call.reply().error(schema::kWrongType);
  const auto field = hash.view().find(call.arg(2));
  types::Element::Scratch scratch;
  const auto old = field ? base::parse_long_double(field->value.view(scratch))
                         : std::optional<long double>(0.0L);
  if (!old) return call.reply().error(kNotAFloat);
  const long double sum = *old + *increment;
  if (!std::isfinite(sum)) return call.reply().error(kSumNotFinite);

  // The result is recorded, not the addition, so that a replay cannot round differently.
  const std::string text = base::print_long_double(sum);
  if (field) {
    hash.set_keeping_time(*field, call.arg(2), text);
  } else {
    hash.set(call.arg(2), text);
  }
  hash.note(EventClass::hash, "hincrbyfloat");
  call.reply().bulk(text);
}

}  // namespace

extern constinit const Command hash_hincrbyfloat{
    .name = "HINCRBYFLOAT",
    .summary = "Adds a decimal number to the one in a field of a hash; an absent field is 0.",
    .since = "2.6.0",
    .complexity = "O(1)",
    .syntax = "key field increment:double",
    .group = Group::hash,
    .arity = exactly(4),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::update),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(hincrbyfloat),
};

}  // namespace slotcar::commands
