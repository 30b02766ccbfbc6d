#include "types/bitmap.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/assert.h"

namespace slotcar::types {

namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

std::uint64_t load_word(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

unsigned char byte_at(std::string_view bytes, std::uint64_t index) {
  return static_cast<unsigned char>(bytes[index]);
}

// The bits of the range's first (last) byte that lie in the range.
unsigned from_first(BitRange range) {
  return 0xffu >> (range.first & 7);
}
unsigned to_last(BitRange range) {
  return (0xffu << (7 - (range.last & 7))) & 0xffu;
}

// The first byte of `bytes` that is not `other`, eight at a time.
std::size_t skip_bytes(std::string_view bytes, unsigned char other) {
  const std::uint64_t pattern = other ? ~std::uint64_t{0} : 0;
  std::size_t i = 0;
  while (i + sizeof pattern <= bytes.size() && load_word(bytes.data() + i) == pattern) {
    i += sizeof pattern;
  }
  while (i < bytes.size() && byte_at(bytes, i) == other) ++i;
  return i;
}

// Sources are combined a block at a time, so that what one pass wrote is still in the cache when
// the next source comes; the loops are simple enough to be vectorised.
constexpr std::size_t kBlock = 16 * 1024;

template <class Operation>
void fold(std::string_view source, char* out, std::size_t size, Operation operation) {
  auto* to = reinterpret_cast<unsigned char*>(out);
  const auto* from = reinterpret_cast<const unsigned char*>(source.data());
  const std::size_t both = std::min(size, source.size());
  std::size_t i = 0;
  for (; i + sizeof(std::uint64_t) <= both; i += sizeof(std::uint64_t)) {
    const std::uint64_t word = operation(load_word(out + i), load_word(source.data() + i));
    std::memcpy(out + i, &word, sizeof word);
  }
  for (; i < both; ++i) to[i] = static_cast<unsigned char>(operation(to[i], from[i]));
  for (; i < size; ++i) to[i] = static_cast<unsigned char>(operation(to[i], 0));
}

std::string_view part(std::string_view source, std::size_t offset, std::size_t size) {
  return offset < source.size() ? source.substr(offset, size) : std::string_view{};
}

std::uint64_t field_max(const BitField& field) {
  const int value_bits = field.is_signed ? field.bits - 1 : field.bits;
  return value_bits == 64 ? UINT64_MAX : (std::uint64_t{1} << value_bits) - 1;
}

std::uint64_t cut_to_field(const BitField& field, std::uint64_t value) {
  const int unused = 64 - field.bits;
  if (field.is_signed) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
  }
  return value << unused >> unused;
}

std::optional<std::uint64_t> fit(const BitField& field, Wide value, Overflow rule) {
  const Wide max = field_max(field);
  const Wide min = field.is_signed ? -max - 1 : Wide{0};
  if (value >= min && value <= max) return static_cast<std::uint64_t>(value);
  switch (rule) {
    case Overflow::wrap:
      return cut_to_field(field, static_cast<std::uint64_t>(value));
    case Overflow::saturate:
      return static_cast<std::uint64_t>(value > max ? max : min);
    case Overflow::fail:
      return std::nullopt;
  }
  UNREACHABLE();
}

}  // namespace

std::uint64_t count_bits(std::string_view bytes) {
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  // Four sums, so that the counts do not depend on each other.
  std::uint64_t sums[4] = {};
  for (; left >= 4 * sizeof(std::uint64_t); left -= 4 * sizeof(std::uint64_t)) {
    for (std::uint64_t& sum : sums) {
      sum += static_cast<std::uint64_t>(std::popcount(load_word(at)));
      at += sizeof(std::uint64_t);
    }
  }
  std::uint64_t total = sums[0] + sums[1] + sums[2] + sums[3];
  for (; left != 0; --left) {
    total += static_cast<std::uint64_t>(std::popcount(static_cast<unsigned char>(*at++)));
  }
  return total;
}

std::uint64_t count_bits(std::string_view bytes, BitRange range) {
  const std::uint64_t first = range.first >> 3;
  const std::uint64_t last = range.last >> 3;
  ASSERT(range.first <= range.last && last < bytes.size());
  const unsigned outside_first = byte_at(bytes, first) & ~from_first(range) & 0xffu;
  const unsigned outside_last = byte_at(bytes, last) & ~to_last(range) & 0xffu;
  return count_bits(bytes.substr(first, last - first + 1)) -
         static_cast<std::uint64_t>(std::popcount(outside_first)) -
         static_cast<std::uint64_t>(std::popcount(outside_last));
}

std::optional<std::uint64_t> find_bit(std::string_view bytes, bool bit, BitRange range) {
  std::uint64_t at = range.first >> 3;
  const std::uint64_t last = range.last >> 3;
  ASSERT(range.first <= range.last && last < bytes.size());
  // Inverted if needed, so that a one is what is searched for.
  const auto seen = [&](std::uint64_t index) -> unsigned {
    return (bit ? byte_at(bytes, index) : ~byte_at(bytes, index)) & 0xffu;
  };
  unsigned byte = seen(at) & from_first(range);
  if (byte == 0 && at < last) {
    ++at;
    at += skip_bytes(bytes.substr(at, last - at), bit ? 0x00 : 0xff);
    byte = seen(at);
  }
  if (at == last) byte &= to_last(range);
  if (byte == 0) return std::nullopt;
  return at * 8 + static_cast<std::uint64_t>(std::countl_zero(static_cast<unsigned char>(byte)));
}

void combine_bits(BitOperation operation, std::span<const std::string_view> sources, char* out,
                  std::size_t size) {
  ASSERT(!sources.empty());
  for (std::size_t offset = 0; offset < size; offset += kBlock) {
    const std::size_t length = std::min(kBlock, size - offset);
    char* block = out + offset;
    const std::string_view first = part(sources[0], offset, length);
    if (!first.empty()) std::memcpy(block, first.data(), first.size());
    std::memset(block + first.size(), 0, length - first.size());
    if (operation == BitOperation::not_) {
      fold({}, block, length, [](auto a, auto) { return ~a; });
    }
    for (const std::string_view& source : sources.subspan(1)) {
      const std::string_view next = part(source, offset, length);
      switch (operation) {
        case BitOperation::and_:
          fold(next, block, length, [](auto a, auto b) { return a & b; });
          break;
        case BitOperation::or_:
          fold(next, block, length, [](auto a, auto b) { return a | b; });
          break;
        case BitOperation::xor_:
          fold(next, block, length, [](auto a, auto b) { return a ^ b; });
          break;
        case BitOperation::not_:
          UNREACHABLE();
      }
    }
  }
}

std::uint64_t get_field(std::string_view bytes, const BitField& field) {
  ASSERT(field.bits >= 1 && field.bits <= 64);
  UnsignedWide window = 0;  // nine bytes at most
  for (std::uint64_t i = field.first_byte(); i <= field.last_byte(); ++i) {
    window = window << 8 | (i < bytes.size() ? byte_at(bytes, i) : 0);
  }
  const std::uint64_t below = (field.last_byte() + 1) * 8 - (field.position + field.bits);
  return cut_to_field(field, static_cast<std::uint64_t>(window >> below));
}

void put_field(char* bytes, const BitField& field, std::uint64_t value) {
  ASSERT(field.bits >= 1 && field.bits <= 64);
  const std::uint64_t below = (field.last_byte() + 1) * 8 - (field.position + field.bits);
  const UnsignedWide ones = (UnsignedWide{1} << field.bits) - 1;
  const UnsignedWide mask = ones << below;
  const UnsignedWide fresh = (UnsignedWide{value} & ones) << below;
  for (std::uint64_t i = field.first_byte(); i <= field.last_byte(); ++i) {
    const auto shift = static_cast<int>((field.last_byte() - i) * 8);
    const auto keep = static_cast<unsigned char>(~static_cast<unsigned char>(mask >> shift));
    const auto put = static_cast<unsigned char>(fresh >> shift);
    auto& byte = reinterpret_cast<unsigned char&>(bytes[i]);
    byte = static_cast<unsigned char>((byte & keep) | put);
  }
}

std::optional<std::uint64_t> fit_to_field(const BitField& field, std::uint64_t value,
                                          Overflow rule) {
  const Wide wide = field.is_signed ? Wide{static_cast<std::int64_t>(value)} : Wide{value};
  return fit(field, wide, rule);
}

std::optional<std::uint64_t> add_to_field(const BitField& field, std::uint64_t old,
                                          std::int64_t increment, Overflow rule) {
  const Wide wide = field.is_signed ? Wide{static_cast<std::int64_t>(old)} : Wide{old};
  return fit(field, wide + increment, rule);
}

}  // namespace slotcar::types
