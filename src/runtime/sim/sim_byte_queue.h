// Bytes that go in at one end and out at the other. Taking from the front is cheap, however long
// the queue: the space is given back when half of it is used up.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/assert.h"

namespace slotcar::runtime {

class SimByteQueue {
 public:
  bool empty() const { return size() == 0; }
  std::size_t size() const { return bytes_.size() - taken_; }
  std::string_view view() const { return std::string_view(bytes_).substr(taken_); }

  void append(std::string_view bytes) { bytes_ += bytes; }
  void drop_front(std::size_t size_dropped) {
    ASSERT(size_dropped <= size());
    taken_ += size_dropped;
    if (taken_ < bytes_.size() / 2) return;
    bytes_.erase(0, taken_);
    taken_ = 0;
  }
  void clear() {
    bytes_.clear();
    taken_ = 0;
  }

 private:
  std::string bytes_;
  std::size_t taken_ = 0;
};

}  // namespace slotcar::runtime
