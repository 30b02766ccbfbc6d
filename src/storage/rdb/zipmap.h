// Zipmap: how Redis before 2.6 wrote small hashes; read only.
//
//   a byte: number of pairs (254 and more: count them), pairs, 0xff
//   a pair: length, field, length, a byte: how many bytes are unused after the value, value, these
//   a length: a byte below 254, or 254 and 4 bytes, low byte first
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "types/element.h"

namespace slotcar::storage {

// Walks through bytes that came from outside: field, value, field... They are a zipmap if
// `is_valid` is still true after `next` has returned false.
class ZipmapWalk {
 public:
  explicit ZipmapWalk(std::string_view bytes);

  bool next(types::Element& element);
  bool is_valid() const { return valid_; }

 private:
  bool take(std::size_t size, std::string_view& taken);
  bool take_length(std::size_t& length);

  std::string_view rest_;  // without the end mark
  std::size_t pairs_told_ = 0;
  std::size_t seen_ = 0;
  bool valid_ = true;
};

}  // namespace slotcar::storage
