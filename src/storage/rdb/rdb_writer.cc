#include "storage/rdb/rdb_writer.h"

#include <cstring>

#include "base/assert.h"
#include "base/limits.h"
#include "base/numbers.h"
#include "storage/rdb/lzf.h"

namespace slotcar::storage {

void RdbWriter::big_endian(std::uint64_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    byte(static_cast<std::uint8_t>(value >> shift));
  }
}

void RdbWriter::little_endian(std::uint64_t value) {
  char bytes[8];
  std::memcpy(bytes, &value, sizeof bytes);
  raw({bytes, sizeof bytes});
}

void RdbWriter::length(std::uint64_t value) {
  if (value < 1u << 6) return byte(static_cast<std::uint8_t>(value));
  if (value < 1u << 14) return big_endian(rdb::kLength14 << 8 | value, 2);
  if (value <= UINT32_MAX) {
    byte(rdb::kLength32);
    return big_endian(value, 4);
  }
  byte(rdb::kLength64);
  big_endian(value, 8);
}

// False: it needs more than 32 bits, and nothing was written.
bool RdbWriter::small_integer(std::int64_t number) {
  const auto put = [&](std::uint8_t mark, std::size_t size) {
    byte(mark);
    char bytes[8];
    std::memcpy(bytes, &number, sizeof bytes);
    raw({bytes, size});
    return true;
  };
  if (number == static_cast<std::int8_t>(number)) return put(rdb::kInteger8, 1);
  if (number == static_cast<std::int16_t>(number)) return put(rdb::kInteger16, 2);
  if (number == static_cast<std::int32_t>(number)) return put(rdb::kInteger32, 4);
  return false;
}

void RdbWriter::integer_string(std::int64_t number) {
  if (small_integer(number)) return;
  char digits[24];
  const auto size = static_cast<std::size_t>(base::print_int64(digits, number));
  length(size);
  raw({digits, size});
}

void RdbWriter::string(std::string_view bytes) {
  if (bytes.size() <= rdb::kIntegerDigitsMax) {
    std::int64_t number = 0;
    if (base::read_int64(bytes, number) && small_integer(number)) return;
  }
  if (bytes.size() > limits::kLongBytesMin && spill_) return long_string(bytes);
  if (bytes.size() >= rdb::kPackedStringMin && pack(bytes)) {
    byte(rdb::kLzf);
    length(packed_.size());
    length(bytes.size());
    return raw(packed_);
  }
  length(bytes.size());
  raw(bytes);
}

// Into `packed_`; false: packing does not pay.
bool RdbWriter::pack(std::string_view bytes) {
  if (packing_ == Packing::by_packer) return packer_->pack(bytes, packed_);
  packed_.clear();
  return packing_ == Packing::by_library && lzf_pack(bytes, packed_);
}

void RdbWriter::element(const types::Element& element) {
  if (element.is_integer) return integer_string(element.number);
  string(element.text);
}

void RdbWriter::score(double score) {
  std::uint64_t bits;
  std::memcpy(&bits, &score, sizeof bits);
  little_endian(bits);
}

void write_string(RdbWriter& out, std::string_view bytes) {
  out.kind(rdb::Kind::string);
  out.string(bytes);
}

void write_collection(RdbWriter& out, types::Type type, const types::CellView& seen) {
  switch (type) {
    case types::Type::list:
      return write_list(out, seen);
    case types::Type::set:
      return write_set(out, seen);
    case types::Type::sorted_set:
      return write_sorted_set(out, seen);
    case types::Type::hash:
      return write_hash(out, seen);
    case types::Type::stream:
      return write_stream(out, seen);
    case types::Type::bloom:
      return write_bloom(out, seen);
    case types::Type::string:
      break;
  }
  UNREACHABLE();
}

}  // namespace slotcar::storage
