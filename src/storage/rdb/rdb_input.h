// RdbInput: reads lengths, strings and numbers of RDB from bytes that came from outside. The first
// failure is kept; later reads return zeros and empty strings, so a reader can run to the end of a
// step and check once.
//
// No memory is allocated just because a length claims a size: an unpacked string is a view; a
// packed one states its size, which is checked against what its packed bytes can expand to and
// against the limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/limits.h"

namespace slotcar::storage {

struct RdbLimits {
  // One string, and all packed ones together: a small payload expands to no more than this.
  std::size_t string_bytes_max = limits::kBulkBytesMaxDefault;
  std::size_t unpacked_bytes_max = 2 * limits::kBulkBytesMaxDefault;
};

class RdbInput {
 public:
  explicit RdbInput(std::string_view bytes, const RdbLimits& limits = {})
      : rest_(bytes), limits_(limits) {}

  bool failed() const { return failed_; }
  void fail() {
    failed_ = true;
    rest_ = {};
  }
  bool at_end() const { return rest_.empty() && !failed_; }

  std::uint8_t byte();
  std::string_view bytes(std::size_t size);
  std::uint64_t length();
  // How many items follow, each of at least this many bytes: more than fit is a failure.
  std::size_t count(std::size_t bytes_each_min);
  // A view into the input if the string is stored plainly, else into `scratch`.
  std::string_view string(std::string& scratch);
  std::int64_t little_endian_int64();
  UnixMs time() { return little_endian_int64(); }
  double binary_score();  // 8 bytes; never NaN
  double text_score();    // a length and digits; never NaN

 private:
  struct Length {
    std::uint64_t value = 0;  // or, if encoded, how the string is written
    bool encoded = false;
  };
  Length length_or_encoding();
  std::string_view integer(std::size_t size, std::string& scratch);
  std::string_view unpacked(std::string& scratch);

  std::string_view rest_;
  RdbLimits limits_;
  std::size_t unpacked_ = 0;
  bool failed_ = false;
};

}  // namespace slotcar::storage
