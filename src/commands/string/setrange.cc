// SETRANGE key offset value
#include "commands/collection.h"
#include "commands/string/string_value.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kOffsetOutOfRange = "ERR offset is out of range";

std::int64_t read_offset(ArgReader& args) {
  const std::int64_t offset = args.integer();
  if (offset < 0) args.fail(kOffsetOutOfRange);
  return offset;
}

void setrange_now(Call& call);

void setrange_here(Call& call, bool may_move) {
  ArgReader args(call.args(), 2);
  const std::int64_t offset = read_offset(args);
  if (args.failed()) return call.reply().error(args.error());
  const std::string_view bytes = call.arg(3);

  const Entry* entry = call.find_for_write(0);
  if (!absent_or_string(call, entry)) return;
  // An empty value changes nothing: a missing key stays missing, whatever the offset.
  if (bytes.empty()) {
    return call.reply().integer(entry ? static_cast<std::int64_t>(entry->string().size()) : 0);
  }
  if (!length_allowed(call, offset, static_cast<std::int64_t>(bytes.size()))) return;
  const std::size_t end = static_cast<std::size_t>(offset) + bytes.size();
  const types::StringRef old = entry != nullptr ? entry->string() : types::StringRef{};
  if (may_move && writes_long(old, end, bytes.size())) return change_holding<setrange_now>(call);
  const auto length = call.space(0).set_range(call.hold(), call.db(), call.key(0),
                                              static_cast<std::size_t>(offset), call.string_arg(3));
  if (!length) return call.reply().error(schema::kNoMemory);
  call.notify(0, EventClass::string, "setrange");
  call.reply().integer(static_cast<std::int64_t>(*length));
}

void setrange_now(Call& call) {
  setrange_here(call, false);
}

void setrange(Call& call) {
  setrange_here(call, true);
}

}  // namespace

extern constinit const Command string_setrange{
    .name = "SETRANGE",
    .summary = "Overwrites a part of a string, which grows, with zero bytes, as far as needed.",
    .since = "2.2.0",
    .complexity = "O(N) with N the number of bytes written and filled.",
    .syntax = "key offset value",
    .group = Group::string,
    .arity = exactly(4),
    .keys = key_at(1, KeyUse::rw | KeyUse::update),
    .access = Access::write | Access::may_grow,
    .acl = Acl::string,
    .runs = on_keys(setrange),
    .when_large = WhenLarge::hold,
};

}  // namespace slotcar::commands
