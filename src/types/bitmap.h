// Bitmaps: strings seen as bits. Bit 0 is the highest bit of the first byte. Bits beyond the end
// are zero. These functions read and write plain bytes; the caller makes the string grow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace slotcar::types {

inline bool get_bit(std::string_view bytes, std::uint64_t position) {
  const std::uint64_t byte = position >> 3;
  if (byte >= bytes.size()) return false;
  return (static_cast<unsigned char>(bytes[byte]) >> (7 - (position & 7))) & 1;
}
inline void put_bit(char* bytes, std::uint64_t position, bool bit) {
  const auto mask = static_cast<unsigned char>(1u << (7 - (position & 7)));
  auto& byte = reinterpret_cast<unsigned char&>(bytes[position >> 3]);
  byte = static_cast<unsigned char>(bit ? byte | mask : byte & ~mask);
}

// Bits from `first` to `last`, both included; they lie within the bytes.
struct BitRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};
std::uint64_t count_bits(std::string_view bytes);
std::uint64_t count_bits(std::string_view bytes, BitRange range);
// The first position in the range that has this bit.
std::optional<std::uint64_t> find_bit(std::string_view bytes, bool bit, BitRange range);

enum class BitOperation : std::uint8_t { and_, or_, xor_, not_ };
// Writes `size` bytes, `size` being that of the longest source; shorter ones are padded with zeros.
// Exactly one source for not_.
void combine_bits(BitOperation operation, std::span<const std::string_view> sources, char* out,
                  std::size_t size);

// An integer of 1 to 64 bits (unsigned: to 63) anywhere in the string.
struct BitField {
  std::uint64_t position = 0;
  std::uint8_t bits = 0;
  bool is_signed = false;

  std::uint64_t first_byte() const { return position >> 3; }
  std::uint64_t last_byte() const { return (position + bits - 1) >> 3; }
};
// A signed field is returned as two's complement in 64 bits, so the cast to int64 is its value.
std::uint64_t get_field(std::string_view bytes, const BitField& field);
// The field lies within the bytes.
void put_field(char* bytes, const BitField& field, std::uint64_t value);

enum class Overflow : std::uint8_t { wrap, saturate, fail };
// `value` as the field can hold it; nothing if it cannot and the rule is to fail. The 64 bits are
// signed or unsigned as the field is: -1 for an unsigned field is too large, not too small.
std::optional<std::uint64_t> fit_to_field(const BitField& field, std::uint64_t value,
                                          Overflow rule);
// `old`, a value of the field, and `increment` added.
std::optional<std::uint64_t> add_to_field(const BitField& field, std::uint64_t old,
                                          std::int64_t increment, Overflow rule);

}  // namespace slotcar::types
