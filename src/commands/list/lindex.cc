// LINDEX key index
#include "commands/element_work.h"
#include "commands/list/list_value.h"

namespace slotcar::commands {
namespace {

void answer_pinned(Call& call) {
  ArgReader args(call.args(), 2);
  const auto element = ListView(call.state<Pinned>().cells[0].view()).at(args.integer());
  reply_element(call.reply(), *element);
  call.state<Pinned>().cells.clear();  // freed here, on the slow lane
}

// Redis checks the key before the index.
void lindex(Call& call) {
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::list)) return;
  if (entry == nullptr) return call.reply().null();
  ArgReader args(call.args(), 2);
  const std::int64_t index = args.integer();
  if (args.failed()) return call.reply().error(args.error());

  const auto element = ListView(entry->cell()).at(index);
  if (!element) return call.reply().null();
  if (call.is_large(work_of(*element))) return pin_and_answer(call, entry->cell(), answer_pinned);
  reply_element(call.reply(), *element);
}

}  // namespace

extern constinit const Command list_lindex{
    .name = "LINDEX",
    .summary = "Answers the element at a place of a list.",
    .since = "1.0.0",
    .complexity = "O(log N) with N the size of the list.",
    .syntax = "key index",
    .group = Group::list,
    .arity = exactly(3),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::list,
    .runs = on_keys(lindex),
    .when_large = WhenLarge::pin_and_answer,
};

}  // namespace slotcar::commands
