// APPEND key value
#include "commands/collection.h"
#include "commands/string/string_value.h"

namespace slotcar::commands {
namespace {

void append_now(Call& call);

void append_here(Call& call, bool may_move) {
  const std::string_view bytes = call.arg(2);
  const Entry* entry = call.find_for_write(0);
  if (!absent_or_string(call, entry)) return;
  const std::size_t size = entry ? entry->string().size() : 0;
  if (!length_allowed(call, static_cast<std::int64_t>(size),
                      static_cast<std::int64_t>(bytes.size()))) {
    return;
  }
  if (may_move && entry != nullptr &&
      writes_long(entry->string(), size + bytes.size(), bytes.size())) {
    return change_holding<append_now>(call);
  }
  const auto length = call.space(0).append(call.hold(), call.db(), call.key(0), call.string_arg(2));
  if (!length) return call.reply().error(schema::kNoMemory);
  call.notify(0, EventClass::string, "append");
  call.reply().integer(static_cast<std::int64_t>(*length));
}

void append_now(Call& call) {
  append_here(call, false);
}

void append(Call& call) {
  append_here(call, true);
}

}  // namespace

extern constinit const Command string_append{
    .name = "APPEND",
    .summary = "Adds bytes to the end of a string; an absent key counts as empty.",
    .since = "2.0.0",
    .complexity = "O(N) with N the number of bytes added; amortised over many calls.",
    .syntax = "key value",
    .group = Group::string,
    .arity = exactly(3),
    .keys = key_at(1, KeyUse::rw | KeyUse::insert),
    .access = Access::write | Access::may_grow | Access::fast,
    .acl = Acl::string,
    .runs = on_keys(append),
    .when_large = WhenLarge::hold,
};

}  // namespace slotcar::commands
