#include "base/shared_bytes.h"

#include <cstring>

#include "base/assert.h"
#include "base/limits.h"
#include "base/long_reading.h"
#include "base/memory.h"

namespace slotcar::base {

namespace {

struct BigBuffer final : Garbage {
  explicit BigBuffer(void* b) : Garbage(0), block(b) {}
  ~BigBuffer() override { free_bytes(block); }
  bool free_some() override { return true; }
  void* block;
};

}  // namespace

SharedBytes SharedBytes::allocate(std::size_t capacity, Reclaimer* reclaimer) {
  return in(allocate_bytes(block_bytes(capacity)), capacity, reclaimer);
}

SharedBytes SharedBytes::try_allocate(std::size_t capacity, Reclaimer* reclaimer) {
  if (capacity > SIZE_MAX / 2) return {};
  void* memory = try_allocate_bytes(block_bytes(capacity));
  return memory != nullptr ? in(memory, capacity, reclaimer) : SharedBytes();
}

std::size_t SharedBytes::block_bytes(std::size_t capacity) {
  // Room for a long buffer's pointer, whatever its alignment.
  constexpr std::size_t kPointerRoom = sizeof(void*) + alignof(std::atomic<LongReaders*>) - 1;
  return sizeof(Block) + (capacity >= limits::kLongBytesMin ? kPointerRoom : 0) + capacity;
}

SharedBytes SharedBytes::in(void* memory, std::size_t capacity, Reclaimer* reclaimer) {
  const bool is_long = capacity >= limits::kLongBytesMin;
  auto* block = static_cast<Block*>(memory);
  new (&block->refs) std::atomic<std::uint32_t>(1);
  block->is_long = is_long;
  block->reclaimer = reclaimer;
  block->size = 0;
  block->capacity = usable_bytes(block) - sizeof(Block);
  if (is_long) {
    block->capacity -= sizeof(void*);
    block->capacity -= block->capacity % alignof(std::atomic<LongReaders*>);
    new (&block->readers()) std::atomic<LongReaders*>(nullptr);
  }
  SharedBytes bytes;
  bytes.block_ = block;
  return bytes;
}

SharedBytes SharedBytes::copy_of(std::string_view source, Reclaimer* reclaimer) {
  SharedBytes bytes = allocate(source.size(), reclaimer);
  if (!source.empty()) std::memcpy(bytes.mutable_data(), source.data(), source.size());
  bytes.set_size(source.size());
  return bytes;
}

std::size_t SharedBytes::footprint() const {
  return block_ ? usable_bytes(block_) : 0;
}

char* SharedBytes::mutable_data() const {
  ASSERT(sole_owner());
  return block_->data();
}

void SharedBytes::set_size(std::size_t size) const {
  ASSERT(sole_owner() && size <= block_->capacity);
  block_->size = size;
}

LongReaders& SharedBytes::readers() const {
  ASSERT(is_long());
  std::atomic<LongReaders*>& readers = block_->readers();
  LongReaders* there = readers.load(std::memory_order_acquire);
  if (there != nullptr) return *there;
  // The owners of two keys that share the buffer may get here at the same time.
  auto made = std::make_unique<LongReaders>();
  if (!readers.compare_exchange_strong(there, made.get(), std::memory_order_acq_rel)) {
    return *there;
  }
  return *made.release();
}

char* SharedBytes::write_beside_readings(std::size_t size, std::size_t from, std::size_t to) const {
  if (!block_ || size > block_->capacity) return nullptr;
  if (!sole_owner()) {
    LongReaders* there = is_long() ? block_->readers().load(std::memory_order_acquire) : nullptr;
    if (there == nullptr || !there->keep(block_->refs, block_->data(), from, to)) return nullptr;
  }
  block_->size = size;
  return block_->data();
}

bool SharedBytes::is_writable(std::size_t size) const {
  if (!block_ || size > block_->capacity) return false;
  if (sole_owner()) return true;
  LongReaders* there = is_long() ? block_->readers().load(std::memory_order_acquire) : nullptr;
  return there != nullptr && there->are_all(block_->refs);
}

void SharedBytes::drop() {
  if (block_ && block_->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) free();
}

void SharedBytes::free() {
  if (block_->is_long) {
    if (LongReaders* there = block_->readers().load(std::memory_order_relaxed)) there->let_go();
  }
  if (block_->reclaimer && block_->capacity >= limits::kFreeLaterBytes) {
    block_->reclaimer->free_later(std::make_unique<BigBuffer>(block_));
  } else {
    free_bytes(block_);
  }
  block_ = nullptr;
}

}  // namespace slotcar::base
