// HMGET key field [field ...]
#include "commands/element_work.h"
#include "commands/hash/fields.h"
#include "shard/work_size.h"

namespace slotcar::commands {
namespace {

void answer(Call& call, const types::HashView& hash) {
  call.reply().array(call.size() - 2);
  for (std::size_t i = 2; i < call.size(); ++i) {
    types::Element value;
    if (hash.find_value(call.arg(i), value)) {
      reply_element(call.reply(), value);
    } else {
      call.reply().null();
    }
  }
}

void answer_pinned(Call& call) {
  answer(call, pinned_fields(call));
  call.state<Pinned>().cells.clear();  // freed here, on the slow lane
}

void hmget(Call& call) {
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::hash)) return;
  if (entry != nullptr && call.is_large(work_of(entry->cell(), call.size() - 2))) {
    return pin_and_answer(call, entry->cell(), answer_pinned);
  }
  answer(call, fields_of(call, entry));
}

}  // namespace

extern constinit const Command hash_hmget{
    .name = "HMGET",
    .summary = "Answers the values of several fields of a hash.",
    .since = "2.0.0",
    .complexity = "O(N) with N the number of fields asked for.",
    .syntax = "key field [field ...]",
    .group = Group::hash,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .acl = Acl::hash,
    .runs = on_keys(hmget),
    .when_large = WhenLarge::pin_and_answer,
    .size = shard::argument_size,
};

}  // namespace slotcar::commands
