// first_eight: the beginning of a text as one number, for comparing names without a call.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace slotcar::base {

template <class Word>
Word load_word(const char* p) {
  Word word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

// The first eight bytes, filled up with zeros, without reading past the end: shorter texts are put
// together from loads that overlap. The first byte is the lowest.
inline std::uint64_t first_eight(std::string_view text) {
  static_assert(std::endian::native == std::endian::little);
  const char* p = text.data();
  const std::size_t size = text.size();
  if (size >= 8) return load_word<std::uint64_t>(p);
  if (size >= 4) {
    const std::uint64_t head = load_word<std::uint32_t>(p);
    const std::uint64_t tail = load_word<std::uint32_t>(p + size - 4);
    return head | (tail << (8 * (size - 4)));
  }
  if (size == 0) return 0;
  const auto byte = [p](std::size_t i) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(p[i])) << (8 * i);
  };
  return byte(0) | byte(size / 2) | byte(size - 1);
}

}  // namespace slotcar::base
