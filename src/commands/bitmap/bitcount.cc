// BITCOUNT key [start end [BYTE | BIT]]
#include "commands/bitmap/bit_arguments.h"

namespace slotcar::commands {
namespace {

struct Pinned final : shard::CallState {
  std::unique_ptr<base::LongReading> bytes;
  types::BitRange range;
};

UserRange read(ArgReader& args) {
  UserRange range;
  if (args.done()) return range;
  if (args.left() != 2 && args.left() != 3) args.fail(schema::kSyntaxError);
  range.start = args.integer();
  range.end = args.integer();
  if (!args.done()) range.in_bits = read_bit_unit(args);
  return range;
}

void count_pinned(Call& call) {
  auto& pinned = call.state<Pinned>();
  std::uint64_t count = 0;
  look_through(*pinned.bytes, pinned.range,
               [&](std::string_view piece, types::BitRange range, std::uint64_t) {
                 count += types::count_bits(piece, range);
                 return true;
               });
  pinned.bytes.reset();
  call.reply().integer(static_cast<std::int64_t>(count));
}

void bitcount(Call& call) {
  ArgReader args(call.args(), 2);
  const UserRange request = read(args);
  if (args.failed()) return call.reply().error(args.error());

  const Entry* entry = call.find(0);
  if (!absent_or_string(call, entry)) return;
  if (entry == nullptr) return call.reply().integer(0);
  // Both before the beginning, in the wrong order: not even the first byte.
  if (request.start < 0 && request.end < 0 && request.start > request.end) {
    return call.reply().integer(0);
  }
  const types::StringRef value = entry->string();
  types::BitRange range;
  if (!request.resolve(value.size(), range)) return call.reply().integer(0);
  if (range.last - range.first >= kQuickBitmapBytesMax * 8) {
    auto& pinned = call.state<Pinned>();
    pinned.bytes = read_long(value);
    pinned.range = range;
    return call.finish_without_tokens(count_pinned);
  }
  types::StringRef::Scratch scratch;
  const std::uint64_t count = types::count_bits(value.view(scratch), range);
  call.reply().integer(static_cast<std::int64_t>(count));
}

}  // namespace

extern constinit const Command bitmap_bitcount{
    .name = "BITCOUNT",
    .summary = "Counts the bits that are one, in a whole string or in a range of it.",
    .since = "2.6.0",
    .complexity = "O(N) with N the number of bytes looked at; a long range on the slow lane.",
    .syntax = "key [index={start end [index_unit=<BYTE | BIT>@7.0.0]}]",
    .group = Group::bitmap,
    .arity = at_least(2),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::bitmap,
    .runs = on_keys(bitcount),
    .when_large = WhenLarge::pin_and_answer,
};

}  // namespace slotcar::commands
