// GrowingBytes: a buffer that is filled at its end by a writer that knows an upper bound on its
// size. Unlike a string it never initializes bytes before they are written.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace slotcar::base {

class GrowingBytes {
 public:
  // `put(char*)` writes at most `most` bytes there and returns where it stopped.
  template <class Put>
  void extend(std::size_t most, const Put& put) {
    if (capacity_ - size_ < most) grow(most);
    size_ = static_cast<std::size_t>(put(bytes_.get() + size_) - bytes_.get());
  }
  void append(std::string_view bytes) {
    extend(bytes.size(), [bytes](char* at) {
      if (!bytes.empty()) std::memcpy(at, bytes.data(), bytes.size());
      return at + bytes.size();
    });
  }
  // Keeps the memory, unless there is a lot of it.
  void clear() {
    size_ = 0;
    if (capacity_ > kKeptMax) {
      bytes_.reset();
      capacity_ = 0;
    }
  }
  bool empty() const { return size_ == 0; }
  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  static constexpr std::size_t kKeptMax = 1024 * 1024;

  void grow(std::size_t more) {
    const std::size_t wanted = std::max(size_ + more, 2 * capacity_);
    auto larger = std::make_unique_for_overwrite<char[]>(wanted);
    if (size_ != 0) std::memcpy(larger.get(), bytes_.get(), size_);
    bytes_ = std::move(larger);
    capacity_ = wanted;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace slotcar::base
