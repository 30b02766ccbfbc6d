// Ziplist: the packed array that Redis wrote before version 7; read only.
//
//   4 bytes size, 4 bytes offset of the last entry, 2 bytes number of entries (65535: count them),
//   entries, 0xff; numbers low byte first
//   an entry: the size of the entry before it (one byte, or 0xfe and 4 bytes), its encoding, its
//   data
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "types/element.h"

namespace slotcar::storage {

// Walks through bytes that came from outside. They are a ziplist if `is_valid` is still true after
// `next` has returned false.
class ZiplistWalk {
 public:
  explicit ZiplistWalk(std::string_view bytes);

  bool next(types::Element& element);
  bool is_valid() const { return valid_; }

 private:
  bool check_end();
  bool read(types::Element& element, std::size_t& size) const;

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::size_t size_before_ = 0;  // of the entry before this one
  std::size_t seen_ = 0;
  bool valid_ = true;
  bool over_ = false;
};

}  // namespace slotcar::storage
