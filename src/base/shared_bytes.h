// SharedBytes: a reference-counted buffer that is immutable while it is shared. Long strings are
// kept in it in the keyspace, move between socket and keyspace without a copy, and are pinned by a
// slow reader: a pin is a reference.
//
// Any thread may hold, copy and drop references. Only a sole owner may write (`mutable_data`); into
// a long buffer also an owner that shares it only with readings (base/long_reading.h). The last
// drop of a big buffer hands it to its Reclaimer instead of unmapping it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/reclaimer.h"

namespace slotcar::base {

class LongReaders;

class SharedBytes {
 public:
  SharedBytes() = default;
  SharedBytes(const SharedBytes& other) : block_(other.block_) { retain(); }
  SharedBytes(SharedBytes&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  SharedBytes& operator=(SharedBytes other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~SharedBytes() { drop(); }

  // A buffer with room for `capacity` bytes and size 0. The reclaimer may be null (small buffers,
  // tests); otherwise it must outlive the buffer.
  static SharedBytes allocate(std::size_t capacity, Reclaimer* reclaimer);
  // For a size that a client chooses: empty if there is not enough memory.
  static SharedBytes try_allocate(std::size_t capacity, Reclaimer* reclaimer);
  static SharedBytes copy_of(std::string_view bytes, Reclaimer* reclaimer);

  explicit operator bool() const { return block_ != nullptr; }
  const char* data() const { return block_ ? block_->data() : nullptr; }
  std::size_t size() const { return block_ ? block_->size : 0; }
  std::size_t capacity() const { return block_ ? block_->capacity : 0; }
  std::string_view view() const { return {data(), size()}; }
  // What the allocator really gave, for the memory counters.
  std::size_t footprint() const;

  bool sole_owner() const { return block_ && block_->refs.load(std::memory_order_acquire) == 1; }
  // Only for the sole owner.
  char* mutable_data() const;
  void set_size(std::size_t size) const;

  // Whether there may be readings of it.
  bool is_long() const { return block_ && block_->is_long; }
  // For an owner that shares the buffer with readings: the size will become `size`, and the bytes
  // in [from, to) will be changed. Returns where the bytes are; null if others share them too, or
  // if there is no room. A sole owner of a buffer that is not long may use it as well.
  char* write_beside_readings(std::size_t size, std::size_t from, std::size_t to) const;
  // Whether that would succeed. It stays true while only the owner makes references.
  bool is_writable(std::size_t size) const;

  // Raw ownership, for the entry that keeps the reference as eight bytes of its own.
  void* detach() { return std::exchange(block_, nullptr); }
  static SharedBytes adopt(void* raw) {
    SharedBytes bytes;
    bytes.block_ = static_cast<Block*>(raw);
    return bytes;
  }
  // A second reference to what `raw` keeps.
  static SharedBytes share(void* raw) {
    SharedBytes bytes = adopt(raw);
    bytes.retain();
    return bytes;
  }

 private:
  friend class LongReading;
  struct Block {
    std::atomic<std::uint32_t> refs;
    bool is_long;
    Reclaimer* reclaimer;
    std::size_t size;
    std::size_t capacity;
    char* data() { return reinterpret_cast<char*>(this + 1); }
    // The readings of a long buffer, stored behind its capacity. Null until there was one.
    std::atomic<LongReaders*>& readers() {
      return *reinterpret_cast<std::atomic<LongReaders*>*>(data() + capacity);
    }
  };
  LongReaders& readers() const;  // of a long one; made at the first call
  static std::size_t block_bytes(std::size_t capacity);
  static SharedBytes in(void* memory, std::size_t capacity, Reclaimer* reclaimer);

  void retain() const {
    if (block_) block_->refs.fetch_add(1, std::memory_order_relaxed);
  }
  void drop();
  void free();  // the last reference is gone

  Block* block_ = nullptr;
};

}  // namespace slotcar::base
