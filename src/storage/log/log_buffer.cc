#include "storage/log/log_buffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/assert.h"
#include "base/crc32c.h"
#include "storage/log/log_block.h"

namespace slotcar::storage {

namespace {

constexpr std::string_view kNamePrefix = "slotcar-log-";
constexpr std::string_view kMagic = "SLOTBUF1";
constexpr std::size_t kBootIdBytes = 40;

// At the very beginning of the file. Only the last two change after it was made.
struct Head {
  char magic[8];
  std::uint64_t life;
  std::uint64_t salt;
  char boot_id[kBootIdBytes];
  std::uint64_t directory;
  std::uint32_t crc;  // of all before
  std::uint32_t zeros;
  std::uint64_t durable;
  std::uint64_t outside;
};

// Behind it: the path of the directory that the server served, for those who clean up.
struct PathHead {
  std::uint32_t bytes;
  std::uint32_t crc;
};
constexpr std::size_t kPathAt = 128;
static_assert(kPathAt >= sizeof(Head));
constexpr std::size_t kHeadBytes = 4096;
constexpr std::size_t kPathBytesMax = kHeadBytes - kPathAt - sizeof(PathHead);
// Of buffers whose directories are gone one start reads so many, one after the other.
constexpr std::size_t kOrphansLookedAtMax = 4;
// Blocks that are not in use and keep their pages.
constexpr std::size_t kSpareMax = 48;

std::uint32_t crc_of(const Head& head) {
  return base::crc32c({reinterpret_cast<const char*>(&head), offsetof(Head, crc)});
}

void write_path(char* page, std::string_view path) {
  if (path.size() > kPathBytesMax) return;
  const PathHead head{static_cast<std::uint32_t>(path.size()), base::crc32c(path)};
  std::memcpy(page + kPathAt, &head, sizeof head);
  std::memcpy(page + kPathAt + sizeof head, path.data(), path.size());
}

// Empty: it is not said, or the page is not a whole one.
std::string path_in(std::string_view page) {
  Head head;
  PathHead about;
  if (page.size() < kHeadBytes) return {};
  std::memcpy(&head, page.data(), sizeof head);
  std::memcpy(&about, page.data() + kPathAt, sizeof about);
  if (std::string_view(head.magic, sizeof head.magic) != kMagic || head.crc != crc_of(head)) {
    return {};
  }
  if (about.bytes > kPathBytesMax) return {};
  const std::string_view path = page.substr(kPathAt + sizeof about, about.bytes);
  return base::crc32c(path) == about.crc ? std::string(path) : std::string();
}

}  // namespace

std::string LogBuffer::file_name(std::uint64_t life) {
  return fmt::format("{}{:016x}", kNamePrefix, life);
}

bool LogBuffer::was_left_by(runtime::SharedMemory& memory, std::uint64_t life,
                            std::uint64_t directory) {
  const std::string name = file_name(life);
  if (memory.in_use(name)) return false;
  const auto bytes = memory.read(name);
  if (!bytes || !*bytes || (*bytes)->size() < sizeof(Head)) return false;
  Head head;
  std::memcpy(&head, (*bytes)->data(), sizeof head);
  return head.crc == crc_of(head) && head.directory == directory;
}

LogBuffer::Orphans LogBuffer::remove_orphans(runtime::SharedMemory& memory, std::uint64_t life) {
  Orphans orphans;
  std::vector<std::string> names = memory.list(std::string(kNamePrefix));
  std::ranges::sort(names);
  std::ranges::rotate(names, std::ranges::lower_bound(names, file_name(life)));
  for (const std::string& name : names) {
    if (memory.in_use(name)) continue;
    const std::string path = path_in(memory.read_front(name, kHeadBytes));
    if (path.empty() || !memory.is_gone(path)) continue;
    const auto bytes = memory.read(name);
    if (!bytes || !*bytes) continue;
    const auto contents = read_log_buffer(**bytes, Lsn{0});
    const bool useless = contents && (contents->boot_id != memory.boot_id() ||
                                      (contents->records.empty() && contents->outside.value == 0));
    if (useless && memory.remove(name).ok()) {
      ++orphans.removed;
    } else {
      ++orphans.left;
    }
    if (orphans.removed + orphans.left == kOrphansLookedAtMax) break;
  }
  return orphans;
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
  if (Status done = (*region)->allocate(0, kHeadBytes); !done) {
    static_cast<void>(memory.remove(name).ok());
    return done.error();
  }
  Head head{};
  std::memcpy(head.magic, kMagic.data(), kMagic.size());
  head.life = options.life;
  head.salt = options.salt;
  head.directory = options.directory;
  const std::string boot_id = memory.boot_id();
  std::memcpy(head.boot_id, boot_id.data(), std::min(boot_id.size(), kBootIdBytes));
  head.crc = crc_of(head);
  write_path((*region)->data(), options.directory_path);
  std::memcpy((*region)->data(), &head, sizeof head);
  std::unique_ptr<LogBuffer> made(new LogBuffer(std::move(*region)));
  made->allocated_ = kHeadBytes;
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
  auto* head = reinterpret_cast<Head*>(region_->data());
  std::atomic_ref(head->durable).store(durable.value, std::memory_order_release);
}

void LogBuffer::note_outside(Lsn first) {
  auto* head = reinterpret_cast<Head*>(region_->data());
  std::atomic_ref(head->outside).store(first.value, std::memory_order_release);
}

// --- reading -----------------------------------------------------------------------------------

namespace {

// The records of one block, up to the first place where none begins.
Status read_block(std::string_view bytes, std::size_t begin, const Head& head, Lsn after,
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
  Head head;
  if (bytes.size() < sizeof head) return Error{"at byte 0: too short for a log buffer"};
  std::memcpy(&head, bytes.data(), sizeof head);
  if (std::string_view(head.magic, sizeof head.magic) != kMagic) {
    return Error{"at byte 0: not a log buffer, or one of another version"};
  }
  if (head.crc != crc_of(head)) return Error{"at byte 0: the head has another checksum"};
  LogBufferContents contents;
  contents.life = head.life;
  contents.boot_id = std::string(head.boot_id, ::strnlen(head.boot_id, kBootIdBytes));
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
