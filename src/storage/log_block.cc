#include "storage/log_block.h"

#include <cstdlib>
#include <new>

#include "base/assert.h"

namespace slotcar::storage {

namespace {

// Records begin at multiples of 8, and behind the head.
constexpr std::size_t kHead = (sizeof(LogBlock) + 63) / 64 * 64;

}  // namespace

void LogBlocks::Free::operator()(LogBlock* block) const {
  block->~LogBlock();
  std::free(block);
}

LogBlocks::~LogBlocks() = default;

LogBlock* LogBlocks::take(std::size_t capacity) {
  {
    std::lock_guard lock(mutex_);
    if (capacity == LogBlock::kBytes && !spare_.empty()) {
      LogBlock* block = spare_.back();
      spare_.pop_back();
      return block;
    }
  }
  const std::size_t whole = (capacity + LogBlock::kBytes - 1) & ~(LogBlock::kBytes - 1);
  void* const memory = std::aligned_alloc(LogBlock::kBytes, whole);
  if (memory == nullptr) throw std::bad_alloc();
  auto* const block = new (memory) LogBlock;
  block->capacity = capacity;
  block->used = kHead;
  std::lock_guard lock(mutex_);
  all_.emplace(block, block);
  return block;
}

void LogBlocks::give_back(LogBlock* block) {
  std::unique_ptr<LogBlock, Free> gone;  // freed outside of the lock
  std::lock_guard lock(mutex_);
  if (block->capacity == LogBlock::kBytes && spare_.size() < kSpareMax) {
    block->used = kHead;
    block->balance.store(0, std::memory_order_relaxed);
    spare_.push_back(block);
    return;
  }
  const auto found = all_.find(block);
  ASSERT(found != all_.end());
  gone = std::move(found->second);
  all_.erase(found);
}

std::size_t LogBlocks::count() const {
  std::lock_guard lock(mutex_);
  return all_.size();
}

void LogBlocks::release(const std::vector<LogRecord>& records) {
  std::size_t i = 0;
  while (i < records.size()) {
    LogBlock* const block = LogBlock::of(records[i]);
    std::size_t bytes = 0;
    for (; i < records.size() && LogBlock::of(records[i]) == block; ++i) bytes += records[i].size();
    subtract(block, bytes);
  }
}

void LogBlocks::subtract(LogBlock* block, std::size_t bytes) {
  const auto less = static_cast<std::int64_t>(bytes);
  if (block->balance.fetch_sub(less, std::memory_order_acq_rel) == less) give_back(block);
}

LogRecord LogPen::write(LogBlocks& blocks, const RecordAbout& about, std::string_view payload) {
  const std::size_t size = RecordHeader::padded(RecordHeader::kBytes + payload.size());
  return LogRecord::lay_out(room_for(blocks, size), about, payload);
}

char* LogPen::room_for(LogBlocks& blocks, std::size_t size) {
  if (block_ != nullptr) {
    const auto written = static_cast<std::int64_t>(block_->used - kHead);
    if (written != 0 && block_->balance.load(std::memory_order_acquire) == -written) {
      block_->balance.store(0, std::memory_order_relaxed);
      block_->used = kHead;
    }
    if (block_->capacity - block_->used < size) {
      const auto sum = static_cast<std::int64_t>(block_->used - kHead);
      if (block_->balance.fetch_add(sum, std::memory_order_acq_rel) == -sum) {
        blocks.give_back(block_);
      }
      block_ = nullptr;
    }
  }
  if (block_ == nullptr) {
    const bool ordinary = size <= LogBlock::kBytes - kHead;
    block_ = blocks.take(ordinary ? LogBlock::kBytes : kHead + size);
  }
  char* const at = reinterpret_cast<char*>(block_) + block_->used;
  block_->used += size;
  return at;
}

}  // namespace slotcar::storage
