#include "types/element.h"

#include "base/assert.h"

namespace slotcar::types {

namespace {

// First bytes. Small numbers and short strings carry their value or length in them.
constexpr std::uint8_t kUint7Mask = 0x80;  // 0xxxxxxx
constexpr std::uint8_t kString6 = 0x80;    // 10xxxxxx
constexpr std::uint8_t kInt13 = 0xc0;      // 110xxxxx and a byte
constexpr std::uint8_t kString12 = 0xe0;   // 1110xxxx and a byte
constexpr std::uint8_t kString32 = 0xf0;   // and four bytes of length
constexpr std::uint8_t kInt16 = 0xf1;
constexpr std::uint8_t kInt24 = 0xf2;
constexpr std::uint8_t kInt32 = 0xf3;
constexpr std::uint8_t kInt64 = 0xf4;

std::uint8_t byte_at(const char* at, std::size_t offset = 0) {
  return static_cast<std::uint8_t>(at[offset]);
}

std::uint64_t little_endian(const char* at, int bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, static_cast<std::size_t>(bytes));
  return value;
}

// The number in the low bits of `value`, whose sign is the highest of them.
std::int64_t sign_extended(std::uint64_t value, int bits) {
  const int unused = 64 - bits;
  return static_cast<std::int64_t>(value << unused) >> unused;
}

struct Layout {
  std::size_t head;
  std::size_t tail;  // bytes of a string
};

// `at` has as many bytes as its head needs.
Layout layout(const char* at) {
  const std::uint8_t first = byte_at(at);
  if (!(first & kUint7Mask)) return {1, 0};
  if ((first & 0xc0) == kString6) return {1, first & 0x3fu};
  if ((first & 0xe0) == kInt13) return {2, 0};
  if ((first & 0xf0) == kString12) return {2, (first & 0x0fu) << 8 | byte_at(at, 1)};
  switch (first) {
    case kString32:
      return {5, static_cast<std::size_t>(little_endian(at + 1, 4))};
    case kInt16:
      return {3, 0};
    case kInt24:
      return {4, 0};
    case kInt32:
      return {5, 0};
    case kInt64:
      return {9, 0};
    default:
      return {0, 0};
  }
}

}  // namespace

std::uint8_t Encoded::write_head(char* head, const Element& element) {
  std::uint8_t size = 0;
  const auto put = [&](std::uint64_t value, int bytes) {
    std::memcpy(head + size, &value, static_cast<std::size_t>(bytes));
    size = static_cast<std::uint8_t>(size + bytes);
    return size;
  };
  if (!element.is_integer) {
    const std::size_t length = element.text.size();
    ASSERT(length <= UINT32_MAX);
    if (length < 64) return put(kString6 | length, 1);
    if (length < 4096) {
      put(kString12 | length >> 8, 1);
      return put(length & 0xff, 1);
    }
    put(kString32, 1);
    return put(length, 4);
  }
  const std::int64_t number = element.number;
  const auto bits = static_cast<std::uint64_t>(number);
  if (number >= 0 && number <= 127) return put(bits, 1);
  if (number >= -4096 && number <= 4095) {
    put(kInt13 | (bits >> 8 & 0x1f), 1);
    return put(bits & 0xff, 1);
  }
  const auto fits = [&](int width) { return sign_extended(bits, width) == number; };
  const int bytes = fits(16) ? 2 : fits(24) ? 3 : fits(32) ? 4 : 8;
  put(bytes == 8 ? kInt64 : kInt16 + static_cast<unsigned>(bytes) - 2, 1);
  return put(bits, bytes);
}

std::size_t encoded_size(const char* at) {
  const Layout found = layout(at);
  ASSERT(found.head != 0);
  return found.head + found.tail;
}

Element decode(const char* at) {
  const std::uint8_t first = byte_at(at);
  if (!(first & kUint7Mask)) return Element::of(std::int64_t{first});
  if ((first & 0xe0) == kInt13) {
    return Element::of(sign_extended((first & 0x1fu) << 8 | byte_at(at, 1), 13));
  }
  switch (first) {
    case kInt16:
      return Element::of(sign_extended(little_endian(at + 1, 2), 16));
    case kInt24:
      return Element::of(sign_extended(little_endian(at + 1, 3), 24));
    case kInt32:
      return Element::of(sign_extended(little_endian(at + 1, 4), 32));
    case kInt64:
      return Element::of(static_cast<std::int64_t>(little_endian(at + 1, 8)));
    default:
      break;
  }
  const Layout found = layout(at);
  ASSERT(found.head != 0);
  return Element::bytes({at + found.head, found.tail});
}

std::size_t checked_encoded_size(const char* at, std::size_t room) {
  if (room == 0) return 0;
  const std::uint8_t first = byte_at(at);
  const std::size_t head = (first & 0xf0) == kString12 ? 2 : first == kString32 ? 5 : 1;
  if (room < head) return 0;
  const Layout found = layout(at);
  if (found.head == 0 || found.head > room || found.tail > room - found.head) return 0;
  return found.head + found.tail;
}

}  // namespace slotcar::types
