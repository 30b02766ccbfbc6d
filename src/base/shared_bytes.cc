#include "base/shared_bytes.h"

#include <cstring>

#include "base/assert.h"
#include "base/limits.h"
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
  auto* block = static_cast<Block*>(allocate_bytes(sizeof(Block) + capacity));
  new (&block->refs) std::atomic<std::uint32_t>(1);
  block->reclaimer = reclaimer;
  block->size = 0;
  block->capacity = usable_bytes(block) - sizeof(Block);
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

void SharedBytes::drop() {
  if (!block_ || block_->refs.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (block_->reclaimer && block_->capacity >= limits::kFreeLaterBytes) {
    block_->reclaimer->free_later(std::make_unique<BigBuffer>(block_));
  } else {
    free_bytes(block_);
  }
  block_ = nullptr;
}

}  // namespace slotcar::base
