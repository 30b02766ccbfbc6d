// Walking over a listpack (listpack.h) from front to back, in the loops where it counts: small
// numbers and strings of less than 64 bytes, which nearly all elements are, are read without a
// call.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "types/element.h"
#include "types/listpack.h"

namespace slotcar::types {

// How far it is from an element to the next one; for the forms that the inline part leaves.
std::size_t listpack_step_of_rare(const char* at);

inline std::size_t listpack_step(const char* at) {
  const auto first = static_cast<std::uint8_t>(*at);
  // One byte of back length suffices for encodings of up to 127 bytes.
  if (first < 0x80) return 2;
  if (first < 0xc0) return 2u + (first & 0x3fu);
  if (first < 0xe0) return 3;  // numbers of 13 bits
  // Numbers of 2, 3, 4 and 8 bytes, as scores often are.
  constexpr std::uint8_t kNumberSteps[] = {4, 5, 6, 10};
  if (first >= 0xf1 && first <= 0xf4) return kNumberSteps[first - 0xf1];
  return listpack_step_of_rare(at);
}

// The element at `at`; `at` then stands at the next one, or at the listpack's end.
inline Element listpack_next(const char*& at) {
  const auto first = static_cast<std::uint8_t>(*at);
  if (first >= 0x80 && first < 0xc0) {
    const std::string_view text{at + 1, first & 0x3fu};
    at += text.size() + 2;
    return Element::bytes(text);
  }
  if (first < 0x80) {
    at += 2;
    return Element::of(std::int64_t{first});
  }
  const Element element = decode(at);
  at += listpack_step(at);
  return element;
}

// Where the first element and the end of a listpack are.
inline const char* listpack_begin(std::string_view bytes) {
  return bytes.data() + ListpackView::kHeaderBytes;
}
inline const char* listpack_end(std::string_view bytes) {
  return bytes.data() + bytes.size() - 1;
}

// An element to be looked for, with its first eight encoded bytes at hand: one comparison tells
// most others apart.
class ListpackWanted {
 public:
  explicit ListpackWanted(const Element& element) : encoded_(element) {
    char bytes[kShortMax];
    if (encoded_.size() > sizeof bytes) return;  // an empty mask: compared as a whole
    encoded_.write(bytes);
    const std::size_t known = std::min(encoded_.size(), sizeof start_);
    std::memcpy(&start_, bytes, known);
    mask_ = ~std::uint64_t{0} >> 8 * (sizeof start_ - known);
  }

  // Whether it stands at `at`, from where on the listpack has `room` bytes.
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
