// INCRBYFLOAT key increment
#include <cmath>
#include <string>

#include "commands/string/string_value.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kNotFinite = "ERR increment would produce NaN or Infinity";

void incrbyfloat(Call& call) {
  const auto amount = base::parse_long_double(call.arg(2));

  const Entry* entry = call.find_for_write(0);
  if (!absent_or_string(call, entry)) return;
  types::StringRef::Scratch scratch;
  const auto old =
      entry ? base::parse_long_double(entry->string().view(scratch)) : std::optional(0.0L);
  if (!old || !amount) return call.reply().error(schema::kNotFloat);
  const long double sum = *old + *amount;
  if (!std::isfinite(sum)) return call.reply().error(kNotFinite);

  // The result is recorded, not the addition, so that a replay cannot round differently.
  const std::string text = base::print_long_double(sum);
  call.space(0).set_string(call.hold(), call.db(), call.key(0), std::string_view(text),
                           ExpiryChange::keep());
  call.notify(0, EventClass::string, "incrbyfloat");
  call.reply().bulk(text);
}

}  // namespace

extern constinit const Command string_incrbyfloat{
    .name = "INCRBYFLOAT",
    .summary = "Adds a number to the decimal number stored at a key; an absent key counts as 0.",
    .since = "2.6.0",
    .complexity = "O(1)",
    .syntax = "key increment:double",
    .group = Group::string,
    .arity = exactly(3),
    .keys = key_at(1, KeyUse::rw | KeyUse::access | KeyUse::update),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::string,
    .runs = on_keys(incrbyfloat),
};

}  // namespace slotcar::commands
