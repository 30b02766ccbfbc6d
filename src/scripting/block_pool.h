// BlockPool: the small blocks that an interpreter has given back, for its next ones. One thread.
//
// The collector gives back some objects at each of its steps, and the script goes on to make others
// of the same sizes. The block that came back last is given first: it is still in the processor's
// cache, while a general allocator would begin with those that were given back long ago.
//
// Every block, from the pool or from the system, has room for its size rounded up: so blocks of one
// class are alike.
// Under the address sanitizer nothing is kept, so that it sees every use of what was given back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace slotcar::scripting {

class BlockPool {
 public:
#ifdef __SANITIZE_ADDRESS__
  static constexpr std::size_t kKeptBytesMax = 0;
#else
  static constexpr std::size_t kKeptBytesMax = 256 * 1024;
#endif
  static constexpr std::size_t kBlockBytesMax = 256;

  BlockPool() = default;
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;
  ~BlockPool() {
    for (void*& first : free_) {
      while (first != nullptr) std::free(pop(first));
    }
  }

  // Null: there is no memory. `size` is not 0.
  void* make(std::size_t size) {
    if (size > kBlockBytesMax) return std::malloc(size);
    void*& first = free_[class_of(size)];
    if (first == nullptr) return std::malloc(rounded(size));
    kept_ -= rounded(size);
    return pop(first);
  }
  // `size` is the one that it was made with, or last changed to. A null block is none.
  void give_back(void* block, std::size_t size) {
    if (size > kBlockBytesMax || kept_ + rounded(size) > kKeptBytesMax || block == nullptr) {
      return std::free(block);
    }
    void*& first = free_[class_of(size)];
    std::memcpy(block, &first, sizeof first);
    first = block;
    kept_ += rounded(size);
  }
  // Null: there is no memory, and the block is as it was.
  static void* change(void* block, std::size_t new_size) {
    return std::realloc(block, new_size > kBlockBytesMax ? new_size : rounded(new_size));
  }

  std::size_t kept() const {
    return kept_;
  }

 private:
  static constexpr std::size_t kStep = 16;

  static std::size_t class_of(std::size_t size) {
    return (size - 1) / kStep;
  }
  static std::size_t rounded(std::size_t size) {
    return (size + kStep - 1) / kStep * kStep;
  }
  static void* pop(void*& first) {
    void* const block = first;
    std::memcpy(&first, block, sizeof first);
    return block;
  }

  std::array<void*, kBlockBytesMax / kStep> free_{};  // each block begins with the next one
  std::size_t kept_ = 0;
};

}  // namespace slotcar::scripting
