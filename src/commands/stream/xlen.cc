// XLEN key
#include "commands/stream/stream_words.h"

namespace slotcar::commands {
namespace {

void xlen(Call& call) {
  const Entry* entry = call.find(0);
  if (!absent_or(call, entry, types::Type::stream)) return;
  const StreamObject* stream = stream_of(entry);
  call.reply().integer(stream == nullptr ? 0 : static_cast<std::int64_t>(stream->size()));
}

}  // namespace

extern constinit const Command stream_xlen{
    .name = "XLEN",
    .summary = "Answers how many entries a stream has.",
    .since = "5.0.0",
    .complexity = "O(1)",
    .syntax = "key",
    .group = Group::stream,
    .arity = exactly(2),
    .keys = key_at(1, KeyUse::ro),
    .access = Access::readonly | Access::fast,
    .acl = Acl::stream,
    .runs = on_keys(xlen),
};

}  // namespace slotcar::commands
