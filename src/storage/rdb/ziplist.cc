#include "storage/rdb/ziplist.h"

#include <cstring>

namespace slotcar::storage {

namespace {

constexpr std::size_t kHeaderBytes = 10;
constexpr std::uint8_t kEnd = 0xff;
constexpr std::uint8_t kLongSizeBefore = 0xfe;
constexpr std::size_t kUncounted = UINT16_MAX;

// How an entry's data is written. Strings of 6, 14 and 32 bits of length, high byte first;
// integers.
constexpr std::uint8_t kString14 = 0x40;
constexpr std::uint8_t kString32 = 0x80;
constexpr std::uint8_t kInt16 = 0xc0;
constexpr std::uint8_t kInt32 = 0xd0;
constexpr std::uint8_t kInt64 = 0xe0;
constexpr std::uint8_t kInt24 = 0xf0;
constexpr std::uint8_t kInt8 = 0xfe;
constexpr std::uint8_t kTinyFirst = 0xf1;  // 0 to 12 in the byte itself
constexpr std::uint8_t kTinyLast = 0xfd;

std::uint8_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint8_t>(bytes[at]);
}

template <class T>
T load(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::int64_t signed_number(std::string_view raw) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, raw.data(), raw.size());
  const int unused = 64 - 8 * static_cast<int>(raw.size());
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

std::size_t integer_bytes(std::uint8_t encoding) {
  switch (encoding) {
    case kInt8:
      return 1;
    case kInt16:
      return 2;
    case kInt24:
      return 3;
    case kInt32:
      return 4;
    case kInt64:
      return 8;
    default:
      return 0;
  }
}

// The string whose encoding is at the beginning of `bytes`; the size of both, 0 if they do not
// fit.
std::size_t read_string(std::string_view bytes, std::string_view& text) {
  const std::uint8_t first = byte_at(bytes, 0);
  std::size_t head = 1;
  std::size_t size = first & 0x3fu;
  if ((first & 0xc0) == kString14) {
    head = 2;
    if (bytes.size() < head) return 0;
    size = size << 8 | byte_at(bytes, 1);
  } else if ((first & 0xc0) == kString32) {
    head = 5;
    if (first != kString32 || bytes.size() < head) return 0;
    size = 0;
    for (std::size_t i = 1; i < head; ++i) size = size << 8 | byte_at(bytes, i);
  }
  if (size > bytes.size() - head) return 0;
  text = bytes.substr(head, size);
  return head + size;
}

}  // namespace

ZiplistWalk::ZiplistWalk(std::string_view bytes) : bytes_(bytes), at_(kHeaderBytes) {
  valid_ = bytes.size() > kHeaderBytes && load<std::uint32_t>(bytes, 0) == bytes.size() &&
           byte_at(bytes, bytes.size() - 1) == kEnd;
}

// Checks the header against the entries, now that they are known.
bool ZiplistWalk::check_end() {
  over_ = true;
  const std::size_t told = load<std::uint16_t>(bytes_, 8);
  const std::size_t last = load<std::uint32_t>(bytes_, 4);
  return last == at_ - size_before_ && (told == kUncounted || told == seen_);
}

bool ZiplistWalk::next(types::Element& element) {
  if (!valid_ || over_) return false;
  const std::size_t end = bytes_.size() - 1;
  if (at_ == end) {
    valid_ = check_end();
    return false;
  }
  std::size_t size = 0;
  valid_ = read(element, size);
  at_ += size;
  size_before_ = size;
  ++seen_;
  return valid_;
}

bool ZiplistWalk::read(types::Element& element, std::size_t& size) const {
  const std::string_view room = bytes_.substr(at_, bytes_.size() - 1 - at_);
  std::size_t head = 1;
  std::size_t before = byte_at(room, 0);
  if (before == kLongSizeBefore) {
    head = 5;
    if (room.size() < head) return false;
    before = load<std::uint32_t>(room, 1);
  }
  if (before != size_before_ || room.size() <= head) return false;
  const std::string_view rest = room.substr(head);
  const std::uint8_t encoding = byte_at(rest, 0);
  if (encoding < kInt16) {
    std::string_view text;
    const std::size_t taken = read_string(rest, text);
    if (taken == 0) return false;
    element = types::Element::of(text);
    size = head + taken;
    return true;
  }
  if (encoding >= kTinyFirst && encoding <= kTinyLast) {
    element = types::Element::of(std::int64_t{encoding - kTinyFirst});
    size = head + 1;
    return true;
  }
  const std::size_t width = integer_bytes(encoding);
  if (width == 0 || rest.size() < 1 + width) return false;
  element = types::Element::of(signed_number(rest.substr(1, width)));
  size = head + 1 + width;
  return true;
}

}  // namespace slotcar::storage
