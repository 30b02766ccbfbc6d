// Input: the fuzzer's input, taken apart: a byte of choices, the sizes of the pieces in which
// a stream arrives, and the stream.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace slotcar::fuzz {

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size)
      : rest_(reinterpret_cast<const char*>(data), size) {
    choices_ = take_byte();
    cuts_ = take(take_byte() % 16);
  }

  bool choice(int bit) const { return (choices_ >> bit) & 1; }
  std::string_view stream() const { return rest_; }

  // Calls `receive` with the stream's pieces until it returns false.
  template <class Receive>
  void in_pieces(Receive receive) const {
    std::string_view left = rest_;
    for (std::size_t i = 0; !left.empty(); ++i) {
      const std::size_t size = std::min(left.size(), piece(i));
      if (!receive(left.substr(0, size))) return;
      left.remove_prefix(size);
    }
  }

 private:
  std::uint8_t take_byte() {
    const std::string_view byte = take(1);
    return byte.empty() ? 0 : static_cast<std::uint8_t>(byte[0]);
  }
  std::string_view take(std::size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  // Small pieces cut lines, large ones reach the edges of blocks.
  std::size_t piece(std::size_t i) const {
    if (cuts_.empty()) return 1;
    const auto cut = static_cast<std::uint8_t>(cuts_[i % cuts_.size()]);
    return cut < 128 ? cut + 1u : (cut - 127u) * 512u;
  }

  std::string_view rest_;
  std::string_view cuts_;
  std::uint8_t choices_ = 0;
};

}  // namespace slotcar::fuzz
