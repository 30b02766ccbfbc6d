// Walks over a pack (listpack.h) from front to back in hot loops: small numbers and strings of less
// than 64 bytes, which nearly all elements are, are read without a call.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "types/element.h"
#include "types/packed/listpack.h"

namespace slotcar::types {

// The distance from an element of a listpack to the next one, for encodings that the inline part
// does not handle.
std::size_t listpack_step_of_rare(const char* at);

template <bool kBackLengths>
inline std::size_t pack_step(const char* at) {
  // One byte of back length suffices for encodings of up to 127 bytes.
  constexpr std::size_t kBack = kBackLengths ? 1 : 0;
  const auto first = static_cast<std::uint8_t>(*at);
  if (first < 0x80) return 1 + kBack;
  if (first < 0xc0) return 1u + (first & 0x3fu) + kBack;
  if (first < 0xe0) return 2 + kBack;  // numbers of 13 bits
  // Numbers of 2, 3, 4 and 8 bytes, as scores often are.
  constexpr std::uint8_t kNumberSteps[] = {3, 4, 5, 9};
  if (first >= 0xf1 && first <= 0xf4) return kNumberSteps[first - 0xf1] + kBack;
  return kBackLengths ? listpack_step_of_rare(at) : encoded_size(at);
}
inline std::size_t listpack_step(const char* at) {
  return pack_step<true>(at);
}
inline std::size_t frontpack_step(const char* at) {
  return pack_step<false>(at);
}

// The element at `at`; moves `at` to the next one, or to the pack's end.
template <bool kBackLengths>
inline Element pack_next(const char*& at) {
  const char* const here = at;
  const auto first = static_cast<std::uint8_t>(*here);
  at += pack_step<kBackLengths>(here);
  if (first >= 0x80 && first < 0xc0) return Element::bytes({here + 1, first & 0x3fu});
  if (first < 0x80) return Element::of(std::int64_t{first});
  return decode(here);
}
inline Element listpack_next(const char*& at) {
  return pack_next<true>(at);
}
inline Element frontpack_next(const char*& at) {
  return pack_next<false>(at);
}

// The first element and the end of a pack.
inline const char* listpack_begin(std::string_view bytes) {
  return bytes.data() + ListpackView::kHeaderBytes;
}
inline const char* frontpack_begin(std::string_view bytes) {
  return bytes.data() + FrontpackView::kHeaderBytes;
}
inline const char* pack_end(std::string_view bytes) {
  return bytes.data() + bytes.size() - 1;
}

// An element to search for, with its first eight encoded bytes in a word: one comparison rules out
// most others.
class PackWanted {
 public:
  explicit PackWanted(const Element& element) : encoded_(element) {
    char bytes[kShortMax];
    if (encoded_.size() > sizeof bytes) return;  // an empty mask: compared as a whole
    encoded_.write(bytes);
    const std::size_t known = std::min(encoded_.size(), sizeof start_);
    std::memcpy(&start_, bytes, known);
    mask_ = ~std::uint64_t{0} >> 8 * (sizeof start_ - known);
  }

  // Whether it is at `at`, where the pack has `room` bytes left.
  bool stands_at(const char* at, std::size_t room) const {
    if (room >= sizeof start_) [[likely]] {
      std::uint64_t here;
      std::memcpy(&here, at, sizeof here);
      if ((here & mask_) != start_) return false;
    }
    return encoded_.matches(at, room);
  }

 private:
  static constexpr std::size_t kShortMax = 80;

  Encoded encoded_;
  std::uint64_t mask_ = 0;
  std::uint64_t start_ = 0;
};

}  // namespace slotcar::types
