// Shared by the bitmap commands: reading positions and ranges, and moving work on a long string to
// the slow lane.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/long_reading.h"
#include "base/numbers.h"
#include "base/shared_bytes.h"
#include "commands/string/string_value.h"
#include "types/bitmap.h"

namespace slotcar::commands {

inline constexpr std::string_view kBadBitOffset =
    "ERR bit offset is not an integer or out of range";
inline constexpr std::string_view kBadBit = "ERR bit is not an integer or out of range";

// Strings up to this long are scanned on the worker: that takes some 100 us.
inline constexpr std::size_t kQuickBitmapBytesMax = 1024 * 1024;

// A position within the longest allowed string. `#n` means n fields of that many bits.
inline std::uint64_t read_bit_offset(Call& call, ArgReader& args, int field_bits = 0) {
  std::string_view text = args.next();
  const bool in_fields = field_bits != 0 && text.starts_with('#');
  if (in_fields) text.remove_prefix(1);
  std::int64_t offset = 0;
  const std::int64_t bytes_max = shard::string_bytes_max(call);
  if (!base::read_int64(text, offset) ||
      (in_fields && __builtin_mul_overflow(offset, field_bits, &offset)) || offset < 0 ||
      (offset >> 3) >= bytes_max) {
    args.fail(kBadBitOffset);
    return 0;
  }
  return static_cast<std::uint64_t>(offset);
}

// BYTE or BIT, the unit of a range. True: bits.
inline bool read_bit_unit(ArgReader& args) {
  if (args.accept("BIT")) return true;
  if (!args.accept("BYTE")) args.fail(schema::kSyntaxError);
  return false;
}

// A range as the client gives it: negative numbers count from the end.
struct UserRange {
  std::int64_t start = 0;
  std::int64_t end = -1;
  bool in_bits = false;

  // The bits that it selects in a string of `size` bytes; false: none.
  bool resolve(std::size_t size, types::BitRange& range) const {
    const auto total = static_cast<std::int64_t>(in_bits ? size * 8 : size);
    const std::int64_t first = std::max<std::int64_t>(start < 0 ? start + total : start, 0);
    std::int64_t last = std::max<std::int64_t>(end < 0 ? end + total : end, 0);
    last = std::min(last, total - 1);
    if (first > last) return false;
    range.first = static_cast<std::uint64_t>(in_bits ? first : first * 8);
    range.last = static_cast<std::uint64_t>(in_bits ? last : last * 8 + 7);
    return true;
  }
};

// A string of at least kQuickBitmapBytesMax for the slow lane, where it is scanned while others
// write to it.
inline std::unique_ptr<base::LongReading> read_long(const types::StringRef& value) {
  return std::make_unique<base::LongReading>(base::SharedBytes::share(value.buffer));
}
// Piece by piece until `look(piece, range within it, number of its first bit)` returns false.
template <class Look>
void look_through(base::LongReading& bytes, types::BitRange range, const Look& look) {
  constexpr std::size_t kPieceBytes = 32 * 1024;
  std::string piece;
  for (std::size_t at = range.first / 8; at <= range.last / 8; at += piece.size()) {
    piece.resize(std::min(kPieceBytes, static_cast<std::size_t>(range.last / 8) + 1 - at));
    bytes.read(at, piece.data(), piece.size());
    bytes.release_before(at + piece.size());
    const std::uint64_t begin = std::uint64_t{at} * 8;
    const types::BitRange within{std::max(range.first, begin) - begin,
                                 std::min(range.last, begin + piece.size() * 8 - 1) - begin};
    if (!look(std::string_view(piece), within, begin)) return;
  }
}

}  // namespace slotcar::commands
