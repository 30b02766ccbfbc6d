// HGET key field
#include "commands/element_work.h"
#include "commands/hash/fields.h"

namespace slotcar::commands {
namespace {

void answer_pinned(Call& call) {
  types::Element value;
  if (!pinned_fields(call).find_value(call.arg(2), value)) return call.reply().null();
  reply_element(call.reply(), value);
  call.state<Pinned>().cells.clear();  // freed here, on the slow lane
}

void hget(Call& call) {
  const Entry* entry = call.find(0);
  if (entry == nullptr) return call.reply().null();
  if (!absent_or(call, entry, types::Type::hash)) return;
  types::Element value;
  if (!fields_of(call, entry).find_value(call.arg(2), value)) return call.reply().null();
  if (call.is_large(work_of(value))) return pin_and_answer(call, entry->cell(), answer_pinned);
  reply_element(call.reply(), value);
}

}  // namespace

extern constinit const Command hash_hget{
    .name = "HGET",
    .summary = "Answers the value of a field of a hash.",
    .since = "2.0.0",
    .complexity = "O(1)",
    .syntax = "key field",
    .group = Group::hash,
    .arity = exactly(3),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(hget),
    .when_large = WhenLarge::pin_and_answer,
    .element = 2,
};

}  // namespace slotcar::commands
