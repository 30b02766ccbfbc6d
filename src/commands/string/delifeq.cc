// DELIFEQ key value
#include "commands/string/string_value.h"

namespace slotcar::commands {
namespace {

void delifeq(Call& call) {
  const Entry* entry = call.find_for_write(0);
  if (!absent_or_string(call, entry)) return;
  if (entry == nullptr || !holds_string(*entry, call.arg(2))) return call.reply().integer(0);
  call.space(0).remove(call.hold(), call.db(), call.key(0));
  call.reply().integer(1);
}

// It is compared with the string.
std::size_t value_size(const Call& call) {
  constexpr std::size_t kBytesPerElement = 1024;
  return call.arg(2).size() / kBytesPerElement;
}

}  // namespace

extern constinit const Command string_delifeq{
    .name = "DELIFEQ",
    .summary = "Deletes a key if it holds a given string.",
    .since = "9.0.0",
    .complexity = "O(N) with N the length of the string.",
    .syntax = "key value",
    .group = Group::string,
    .arity = exactly(3),
    .keys = key_at(1, KeyUse::rm | KeyUse::remove),
    .access = Access::write | Access::fast,
    .acl = Acl::string,
    .runs = on_keys(delifeq),
    .when_large = WhenLarge::hold,
    .size = value_size,
};

}  // namespace slotcar::commands
