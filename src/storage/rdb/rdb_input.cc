#include "storage/rdb/rdb_input.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "base/numbers.h"
#include "storage/rdb/lzf.h"
#include "storage/rdb/rdb_format.h"

namespace slotcar::storage {

namespace {

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<std::uint8_t>(c);
  return value;
}

}  // namespace

std::string_view RdbInput::bytes(std::size_t size) {
  if (size > rest_.size()) {
    fail();
    return {};
  }
  const std::string_view taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

std::uint8_t RdbInput::byte() {
  const std::string_view one = bytes(1);
  return one.empty() ? 0 : static_cast<std::uint8_t>(one[0]);
}

RdbInput::Length RdbInput::length_or_encoding() {
  const std::uint8_t first = byte();
  switch (first & 0xc0) {
    case rdb::kLength6:
      return {first & 0x3fu};
    case rdb::kLength14:
      return {(first & 0x3fu) << 8 | byte()};
    case rdb::kLength32:
      if (first == rdb::kLength32) return {big_endian(bytes(4))};
      if (first == rdb::kLength64) return {big_endian(bytes(8))};
      fail();
      return {};
    default:
      return {first, true};
  }
}

std::uint64_t RdbInput::length() {
  const Length length = length_or_encoding();
  if (length.encoded) fail();
  return failed_ ? 0 : length.value;
}

std::size_t RdbInput::count(std::size_t bytes_each_min) {
  const std::uint64_t told = length();
  if (told > rest_.size() / bytes_each_min) fail();
  return failed_ ? 0 : static_cast<std::size_t>(told);
}

std::string_view RdbInput::string(std::string& scratch) {
  const Length length = length_or_encoding();
  if (failed_) return {};
  if (!length.encoded) {
    if (length.value > limits_.string_bytes_max) fail();
    return failed_ ? std::string_view{} : bytes(static_cast<std::size_t>(length.value));
  }
  switch (length.value) {
    case rdb::kInteger8:
      return integer(1, scratch);
    case rdb::kInteger16:
      return integer(2, scratch);
    case rdb::kInteger32:
      return integer(4, scratch);
    case rdb::kLzf:
      return unpacked(scratch);
    default:
      fail();
      return {};
  }
}

std::string_view RdbInput::integer(std::size_t size, std::string& scratch) {
  const std::string_view raw = bytes(size);
  if (failed_) return {};
  std::uint64_t bits = 0;
  std::memcpy(&bits, raw.data(), size);
  const int unused = 64 - 8 * static_cast<int>(size);
  const std::int64_t number = static_cast<std::int64_t>(bits << unused) >> unused;
  char digits[24];
  scratch.assign(digits, static_cast<std::size_t>(base::print_int64(digits, number)));
  return scratch;
}

std::string_view RdbInput::unpacked(std::string& scratch) {
  const std::uint64_t packed_size = length();
  const std::uint64_t size = length();
  if (packed_size > rest_.size() || size > limits_.string_bytes_max ||
      size > limits_.unpacked_bytes_max - unpacked_) {
    fail();
  }
  if (failed_) return {};
  const std::string_view packed = bytes(static_cast<std::size_t>(packed_size));
  const auto wanted = static_cast<std::size_t>(size);
  if (!lzf_may_unpack_to(packed.size(), wanted)) {
    fail();
    return {};
  }
  unpacked_ += wanted;
  scratch.resize(wanted);
  if (!lzf_unpack(packed, scratch.data(), wanted)) {
    fail();
    return {};
  }
  return scratch;
}

std::int64_t RdbInput::little_endian_int64() {
  const std::string_view raw = bytes(8);
  std::int64_t value = 0;
  if (!failed_) std::memcpy(&value, raw.data(), sizeof value);
  return value;
}

double RdbInput::binary_score() {
  const std::int64_t bits = little_endian_int64();
  double score = 0;
  std::memcpy(&score, &bits, sizeof score);
  if (std::isnan(score)) fail();
  return failed_ ? 0 : score;
}

double RdbInput::text_score() {
  const std::uint8_t size = byte();
  switch (size) {
    case rdb::kScoreNan:
      fail();
      return 0;
    case rdb::kScoreInfinity:
      return std::numeric_limits<double>::infinity();
    case rdb::kScoreMinusInfinity:
      return -std::numeric_limits<double>::infinity();
    default:
      break;
  }
  const auto score = base::parse_double(bytes(size));
  if (!score) fail();
  return failed_ ? 0 : *score;
}

}  // namespace slotcar::storage
