// BITPOS key bit [start [end [BYTE | BIT]]]
#include <optional>

#include "commands/bitmap/bit_arguments.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kBitArgument = "ERR The bit argument must be 1 or 0.";

struct Request {
  bool bit = false;
  bool end_given = false;
  UserRange range;
};

struct Pinned final : shard::CallState {
  std::unique_ptr<base::LongReading> bytes;
  Request request;
  types::BitRange range;
};

Request read(ArgReader& args) {
  Request request;
  const std::int64_t bit = args.integer();
  if (bit != 0 && bit != 1) args.fail(kBitArgument);
  request.bit = bit == 1;
  if (args.done()) return request;
  if (args.left() > 3) args.fail(schema::kSyntaxError);
  request.range.start = args.integer();
  if (args.done()) return request;
  request.end_given = true;
  request.range.end = args.integer();
  if (!args.done()) request.range.in_bits = read_bit_unit(args);
  return request;
}

// A zero beyond the end of the string counts unless the client has given an end.
void answer(Call& call, std::optional<std::uint64_t> found, const Request& request,
            std::size_t bytes) {
  if (found) return call.reply().integer(static_cast<std::int64_t>(*found));
  const bool beyond = !request.bit && !request.end_given;
  call.reply().integer(beyond ? static_cast<std::int64_t>(bytes) * 8 : -1);
}

void answer_pinned(Call& call) {
  auto& pinned = call.state<Pinned>();
  std::optional<std::uint64_t> found;
  look_through(*pinned.bytes, pinned.range,
               [&](std::string_view piece, types::BitRange range, std::uint64_t begin) {
                 found = types::find_bit(piece, pinned.request.bit, range);
                 if (found) *found += begin;
                 return !found;
               });
  answer(call, found, pinned.request, pinned.bytes->size());
  pinned.bytes.reset();
}

void bitpos(Call& call) {
  ArgReader args(call.args(), 2);
  const Request request = read(args);
  if (args.failed()) return call.reply().error(args.error());

  const Entry* entry = call.find(0);
  if (!absent_or_string(call, entry)) return;
  if (entry == nullptr) return call.reply().integer(request.bit ? -1 : 0);
  const types::StringRef value = entry->string();
  types::BitRange range;
  if (!request.range.resolve(value.size(), range)) return call.reply().integer(-1);
  if (range.last - range.first >= kQuickBitmapBytesMax * 8) {
    auto& pinned = call.state<Pinned>();
    pinned.bytes = read_long(value);
    pinned.request = request;
    pinned.range = range;
    return call.finish_without_tokens(answer_pinned);
  }
  types::StringRef::Scratch scratch;
  const auto found = types::find_bit(value.view(scratch), request.bit, range);
  answer(call, found, request, value.size());
}

}  // namespace

extern constinit const Command bitmap_bitpos{
    .name = "BITPOS",
    .summary = "Finds the first bit that is one, or zero, in a string or in a range of it.",
    .since = "2.8.7",
    .complexity = "O(N) with N the number of bytes looked at; a long range on the slow lane.",
    .syntax = "key bit [index={start [end_index={end [index_unit=<BYTE | BIT>@7.0.0]}]}]",
    .group = Group::bitmap,
    .arity = at_least(3),
    .keys = key_at(1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::bitmap,
    .runs = on_keys(bitpos),
    .when_large = WhenLarge::pin_and_answer,
};

}  // namespace slotcar::commands
