// GETBIT key offset
#include "commands/bitmap/bit_arguments.h"

namespace slotcar::commands {
namespace {

void getbit(Call& call) {
  ArgReader args(call.args(), 2);
  const std::uint64_t offset = read_bit_offset(call, args);
  if (args.failed()) return call.reply().error(args.error());

  const Entry* entry = call.find(0);
  if (!absent_or_string(call, entry)) return;
  if (entry == nullptr) return call.reply().integer(0);
  types::StringRef::Scratch scratch;
  call.reply().integer(types::get_bit(entry->string().view(scratch), offset) ? 1 : 0);
}

}  // namespace

extern constinit const Command bitmap_getbit{
    .name = "GETBIT",
    .summary = "Answers one bit of a string; beyond its end all bits are zero.",
    .since = "2.2.0",
    .complexity = "O(1)",
    .syntax = "key offset",
    .group = Group::bitmap,
    .arity = exactly(3),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly | Access::fast,
    .acl = Acl::bitmap,
    .runs = on_keys(getbit),
};

}  // namespace slotcar::commands
