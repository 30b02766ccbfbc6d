#include "storage/log/log_buffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/assert.h"
#include "base/crc32c.h"
#include "storage/log/log_block.h"
#include "storage/log/log_buffer_head.h"

namespace slotcar::storage {

namespace {

// Blocks that are not in use and keep their pages.
constexpr std::size_t kSpareMax = 48;

}  // namespace

std::string LogBuffer::file_name(std::uint64_t life) {
  return fmt::format("{}{:016x}", LogBufferHead::kNamePrefix, life);
}

bool LogBuffer::was_left_by(runtime::SharedMemory& memory, std::uint64_t life,
                            std::uint64_t directory) {
  const std::string name = file_name(life);
  if (memory.in_use(name)) return false;
  const auto head = LogBufferHead::read(memory.read_part(name, 0, LogBufferHead::kPageBytes));
  return head && head->directory == directory;
}

LogBuffer::LogBuffer(std::unique_ptr<runtime::SharedRegion> region)
    : region_(std::move(region)), blocks_(region_->size() / LogBlock::kBytes, Block::untouched) {
  blocks_[0] = Block::used;
}

Result<std::unique_ptr<LogBuffer>> LogBuffer::create(runtime::SharedMemory& memory,
                                                     const Options& options) {
  const std::string name = file_name(options.life);
  const std::size_t blocks = std::max<std::size_t>(options.bytes_max / LogBlock::kBytes, 1) + 1;
  auto region = memory.create(name, blocks * LogBlock::kBytes, LogBlock::kBytes);
  if (!region) return region.error();
  if (Status done = (*region)->allocate(0, LogBufferHead::kPageBytes); !done) {
    static_cast<void>(memory.remove(name).ok());
    return done.error();
  }
  LogBufferHead head{};
  std::memcpy(head.magic, LogBufferHead::kMagic.data(), LogBufferHead::kMagic.size());
  head.life = options.life;
  head.salt = options.salt;
  head.directory = options.directory;
  const std::string boot_id = memory.boot_id();
  std::memcpy(head.boot_id, boot_id.data(), std::min(boot_id.size(), LogBufferHead::kBootIdBytes));
  head.crc = head.computed_crc();
  LogBufferHead::write_path((*region)->data(), options.directory_path);
  std::memcpy((*region)->data(), &head, sizeof head);
  std::unique_ptr<LogBuffer> made(new LogBuffer(std::move(*region)));
  made->allocated_ = LogBufferHead::kPageBytes;
  return made;
}

char* LogBuffer::take(std::size_t bytes) {
  ASSERT(bytes > 0 && bytes % LogBlock::kBytes == 0);
  const std::size_t count = bytes / LogBlock::kBytes;
  std::size_t run = 0;
  for (std::size_t i = 1; i < blocks_.size(); ++i) {
    run = blocks_[i] == Block::used ? 0 : run + 1;
    if (run < count) continue;
    const std::size_t first = i + 1 - count;
    if (!allocate(first, count)) return nullptr;
    std::fill_n(blocks_.begin() + static_cast<std::ptrdiff_t>(first), count, Block::used);
    return region_->data() + first * LogBlock::kBytes;
  }
  return nullptr;
}

bool LogBuffer::allocate(std::size_t first, std::size_t count) {
  for (std::size_t i = first; i < first + count; ++i) {
    if (blocks_[i] != Block::untouched) continue;
    if (!region_->allocate(i * LogBlock::kBytes, LogBlock::kBytes).ok()) return false;
    blocks_[i] = Block::spare;
    allocated_.fetch_add(LogBlock::kBytes, std::memory_order_relaxed);
  }
  return true;
}

void LogBuffer::give_back(char* at, std::size_t bytes) {
  ASSERT(owns(at) && bytes % LogBlock::kBytes == 0);
  const auto first = static_cast<std::size_t>(at - region_->data()) / LogBlock::kBytes;
  std::fill_n(blocks_.begin() + static_cast<std::ptrdiff_t>(first), bytes / LogBlock::kBytes,
              Block::spare);
  discard_surplus();
}

// From the end, so that the kept ones are contiguous.
void LogBuffer::discard_surplus() {
  auto spare = static_cast<std::size_t>(std::count(blocks_.begin(), blocks_.end(), Block::spare));
  for (std::size_t i = blocks_.size(); spare > kSpareMax && i-- > 1;) {
    if (blocks_[i] != Block::spare) continue;
    region_->discard(i * LogBlock::kBytes, LogBlock::kBytes);
    blocks_[i] = Block::untouched;
    allocated_.fetch_sub(LogBlock::kBytes, std::memory_order_relaxed);
    --spare;
  }
}

bool LogBuffer::owns(const void* at) const {
  const auto* byte = static_cast<const char*>(at);
  return byte >= region_->data() && byte < region_->data() + region_->size();
}

void LogBuffer::note_durable(Lsn durable) {
  auto* head = reinterpret_cast<LogBufferHead*>(region_->data());
  std::atomic_ref(head->durable).store(durable.value, std::memory_order_release);
}

void LogBuffer::note_outside(Lsn first) {
  auto* head = reinterpret_cast<LogBufferHead*>(region_->data());
  std::atomic_ref(head->outside).store(first.value, std::memory_order_release);
}

// A reader that finds a first after a kill that is not 0 also finds a last that includes it.
void LogBuffer::note_doubtful(Lsn first, Lsn last) {
  auto* head = reinterpret_cast<LogBufferHead*>(region_->data());
  if (first.value == 0) std::atomic_ref(head->doubtful_first).store(0, std::memory_order_release);
  std::atomic_ref(head->doubtful_last).store(last.value, std::memory_order_release);
  if (first.value != 0) {
    std::atomic_ref(head->doubtful_first).store(first.value, std::memory_order_release);
  }
}

// --- reading -----------------------------------------------------------------------------------

namespace {

// The records of one block, up to the first place where none begins.
Status read_block(std::string_view bytes, std::size_t begin, const LogBufferHead& head, Lsn after,
                  std::vector<SurvivingRecord>& records) {
  std::uint64_t salt = 0;
  std::size_t capacity = 0;
  std::memcpy(&salt, bytes.data() + begin + offsetof(LogBlock, salt), sizeof salt);
  std::memcpy(&capacity, bytes.data() + begin + offsetof(LogBlock, capacity), sizeof capacity);
  if (salt != head.salt) return {};  // never used, or inside a long record
  const std::size_t end = begin + std::min(capacity, bytes.size() - begin);
  std::size_t at = begin + LogBlock::kHeadBytes;
  while (at + RecordHeader::kBytes <= end) {
    const auto record = RecordHeader::read_in_buffer(bytes.substr(at, end - at), head.salt);
    if (!record || record->whole_size() > end - at) break;
    const std::string_view payload =
        bytes.substr(at + RecordHeader::kBytes, static_cast<std::size_t>(record->payload_size));
    const bool wanted = record->lsn > after && record->lsn.value > head.durable;
    if (wanted && base::crc32c(payload) != record->payload_crc) {
      return Error{fmt::format("at byte {}: the payload of record {} has another checksum", at,
                               record->lsn.value)};
    }
    if (wanted) records.push_back({record->lsn, record->about, std::string(payload)});
    at += record->whole_size();
  }
  return {};
}

}  // namespace

Result<LogBufferContents> read_log_buffer(std::string_view bytes, Lsn after) {
  LogBufferHead head;
  if (bytes.size() < sizeof head) return Error{"at byte 0: too short for a log buffer"};
  std::memcpy(&head, bytes.data(), sizeof head);
  if (!head.has_magic()) {
    return Error{"at byte 0: not a log buffer, or one of another version"};
  }
  if (head.crc != head.computed_crc()) return Error{"at byte 0: the head has another checksum"};
  LogBufferContents contents;
  contents.life = head.life;
  contents.boot_id = head.boot();
  contents.durable = Lsn{head.durable};
  for (std::size_t begin = LogBlock::kBytes; begin + LogBlock::kBytes <= bytes.size();
       begin += LogBlock::kBytes) {
    if (Status done = read_block(bytes, begin, head, after, contents.records); !done) {
      return done.error();
    }
  }
  std::ranges::sort(contents.records, {}, &SurvivingRecord::lsn);
  // Even if the segments have that one already: the next such record may be anywhere behind it.
  contents.outside = Lsn{head.outside};
  if (head.doubtful_first != 0 && head.doubtful_last > after.value &&
      (contents.outside.value == 0 || head.doubtful_first < contents.outside.value)) {
    contents.outside = Lsn{head.doubtful_first};
  }
  if (contents.outside.value != 0) {
    std::erase_if(contents.records, [&](const auto& one) { return one.lsn >= contents.outside; });
  }
  const auto same = std::ranges::adjacent_find(contents.records, {}, &SurvivingRecord::lsn);
  if (same != contents.records.end()) {
    return Error{fmt::format("record {} is there twice", same->lsn.value)};
  }
  return contents;
}

}  // namespace slotcar::storage
