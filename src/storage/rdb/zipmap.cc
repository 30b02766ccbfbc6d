#include "storage/rdb/zipmap.h"

#include <cstring>

namespace slotcar::storage {

namespace {

constexpr std::uint8_t kEnd = 0xff;
constexpr std::uint8_t kLongLength = 254;
constexpr std::size_t kUncounted = 254;

}  // namespace

ZipmapWalk::ZipmapWalk(std::string_view bytes) {
  valid_ = bytes.size() >= 2 && static_cast<std::uint8_t>(bytes.back()) == kEnd;
  if (!valid_) return;
  pairs_told_ = static_cast<std::uint8_t>(bytes[0]);
  rest_ = bytes.substr(1, bytes.size() - 2);
}

bool ZipmapWalk::take(std::size_t size, std::string_view& taken) {
  if (size > rest_.size()) return false;
  taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return true;
}

bool ZipmapWalk::take_length(std::size_t& length) {
  std::string_view raw;
  if (!take(1, raw)) return false;
  const auto first = static_cast<std::uint8_t>(raw[0]);
  length = first;
  if (first < kLongLength) return true;
  if (first != kLongLength || !take(4, raw)) return false;
  std::uint32_t wide;
  std::memcpy(&wide, raw.data(), sizeof wide);
  length = wide;
  return true;
}

bool ZipmapWalk::next(types::Element& element) {
  if (!valid_) return false;
  if (rest_.empty()) {
    valid_ = seen_ % 2 == 0 && (pairs_told_ >= kUncounted || pairs_told_ == seen_ / 2);
    return false;
  }
  const bool is_value = seen_++ % 2 == 1;
  std::size_t length = 0;
  std::string_view unused = std::string_view("\0", 1);
  std::string_view text;
  valid_ = take_length(length) && (!is_value || take(1, unused)) && take(length, text);
  std::string_view skipped;
  valid_ = valid_ && take(static_cast<std::uint8_t>(unused[0]), skipped);
  element = types::Element::of(text);
  return valid_;
}

}  // namespace slotcar::storage
