#include "storage/log/log_block.h"

#include <cstdlib>
#include <new>

#include "base/assert.h"
#include "storage/log/log_buffer.h"

namespace slotcar::storage {

namespace {

constexpr std::size_t kHead = LogBlock::kHeadBytes;
static_assert(sizeof(LogBlock) <= kHead);

// Of the memory behind a block of that capacity.
constexpr std::size_t whole_blocks(std::size_t capacity) {
  return (capacity + LogBlock::kBytes - 1) & ~(LogBlock::kBytes - 1);
}

}  // namespace

// In a buffer the head stays unchanged: a block that is not reused contains only durable records.
void LogBlocks::Free::operator()(LogBlock* block) const {
  if (buffer != nullptr) {
    return buffer->give_back(reinterpret_cast<char*>(block), whole_blocks(block->capacity));
  }
  block->~LogBlock();
  std::free(block);
}

LogBlocks::LogBlocks(std::uint64_t salt) : salt_(salt) {}

LogBlocks::~LogBlocks() = default;

void LogBlocks::use_buffer(std::unique_ptr<LogBuffer> buffer) {
  buffer_ = std::move(buffer);
}

std::size_t LogBlocks::buffer_bytes() const {
  return buffer_ ? buffer_->allocated_bytes() : 0;
}

LogBlock* LogBlocks::take(std::size_t capacity) {
  std::lock_guard lock(mutex_);
  if (capacity == LogBlock::kBytes && !spare_.empty()) {
    LogBlock* block = spare_.back();
    spare_.pop_back();
    return block;
  }
  Owned made = make(capacity);
  LogBlock* const block = made.get();
  all_.emplace(block, std::move(made));
  return block;
}

LogBlocks::Owned LogBlocks::make(std::size_t capacity, bool in_buffer) {
  const std::size_t whole = whole_blocks(capacity);
  LogBuffer* buffer = in_buffer ? buffer_.get() : nullptr;
  void* memory = buffer != nullptr ? buffer->take(whole) : nullptr;
  if (memory == nullptr) {
    buffer = nullptr;
    memory = std::aligned_alloc(LogBlock::kBytes, whole);
    if (memory == nullptr) throw std::bad_alloc();
  }
  auto* const block = new (memory) LogBlock;
  block->capacity = capacity;
  block->used = kHead;
  block->salt = salt_;
  block->outside_buffer = buffer_ != nullptr && buffer == nullptr;
  return Owned(block, Free{buffer});
}

LogRecord LogBlocks::write(const RecordAbout& about, std::string_view payload,
                           base::LongParts parts) {
  const std::size_t parts_bytes = base::bytes_of(parts);
  Owned made = make(kHead + RecordHeader::size_with(payload.size()), /*in_buffer=*/false);
  LogBlock* const block = made.get();
  block->referring = std::make_unique<LogBlock::Referring>(
      LogBlock::Referring{payload.size(), std::move(parts), parts_bytes});
  const LogRecord record = LogRecord::lay_out(reinterpret_cast<char*>(block) + kHead, about,
                                              payload, salt_, parts_bytes);
  // The thread is done with it: the releases will bring it to 0.
  block->balance.store(static_cast<std::int64_t>(record.size()), std::memory_order_relaxed);
  referred_bytes_.fetch_add(parts_bytes, std::memory_order_relaxed);
  std::lock_guard lock(mutex_);
  all_.emplace(block, std::move(made));
  referring_.push_back(block);
  return record;
}

std::size_t LogBlocks::referred_memory() const {
  if (referred_bytes() == 0) return 0;
  std::lock_guard lock(mutex_);
  std::size_t sum = 0;
  for (const LogBlock* block : referring_) {
    for (const base::LongPart& part : block->referring->parts) sum += part.bytes->memory();
  }
  return sum;
}

void LogBlocks::note_outside(Lsn first) {
  if (buffer_) buffer_->note_outside(first);
}

void LogBlocks::give_back(LogBlock* block) {
  Owned gone;
  std::lock_guard lock(mutex_);
  // A block outside the buffer is freed: the next one may find room inside.
  const bool is_ordinary = block->capacity == LogBlock::kBytes && !block->referring;
  if (is_ordinary && spare_.size() < kSpareMax && !block->outside_buffer) {
    block->used = kHead;
    block->balance.store(0, std::memory_order_relaxed);
    spare_.push_back(block);
    return;
  }
  if (block->referring) {
    referred_bytes_.fetch_sub(block->referring->parts_bytes, std::memory_order_relaxed);
    std::erase(referring_, block);
  }
  const auto found = all_.find(block);
  ASSERT(found != all_.end());
  gone = std::move(found->second);
  all_.erase(found);
  if (gone.get_deleter().buffer != nullptr) gone.reset();  // under the lock; memory, outside of it
}

std::size_t LogBlocks::count() const {
  std::lock_guard lock(mutex_);
  return all_.size();
}

void LogBlocks::release(const std::vector<LogRecord>& records, Lsn durable) {
  // This comes first: from here on the blocks may be reused.
  if (buffer_) buffer_->note_durable(durable);
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

LogRecord LogAppender::write(LogBlocks& blocks, const RecordAbout& about,
                             std::string_view payload) {
  const std::size_t size = RecordHeader::padded(RecordHeader::kBytes + payload.size());
  return LogRecord::lay_out(room_for(blocks, size), about, payload, blocks.salt());
}

char* LogAppender::room_for(LogBlocks& blocks, std::size_t size) {
  if (block_ != nullptr) {
    const auto written = static_cast<std::int64_t>(block_->used - kHead);
    if (written != 0 && block_->balance.load(std::memory_order_acquire) == -written) {
      block_->balance.store(0, std::memory_order_relaxed);
      block_->used = kHead;
      // A larger block holds one record, because the address of a second one would not identify the
      // block. A block outside of the buffer is not reused either: by now there may be room inside.
      if (block_->outside_buffer || block_->capacity > LogBlock::kBytes) {
        blocks.give_back(block_);
        block_ = nullptr;
      }
    }
  }
  if (block_ != nullptr) {
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
