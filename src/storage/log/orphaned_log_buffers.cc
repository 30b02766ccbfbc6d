#include "storage/log/orphaned_log_buffers.h"

#include <algorithm>
#include <cstring>

#include "storage/log/log_block.h"
#include "storage/log/log_buffer.h"
#include "storage/log/log_format.h"

namespace slotcar::storage {

namespace {

// One start looks at this many.
constexpr std::size_t kLookedAtMax = 4;

}  // namespace

OrphanedLogBuffers::OrphanedLogBuffers(runtime::SharedMemory& memory, std::uint64_t life)
    : memory_(memory), life_(life) {}

bool OrphanedLogBuffers::step() {
  if (!listed_) {
    list();
    return true;
  }
  if (name_.empty()) return open_next();
  const std::string block = memory_.read_part(name_, offset_, LogBlock::kBytes);
  if (block.size() < LogBlock::kBytes) {
    close(true);  // the end, and nothing was found
  } else if (has_records(block)) {
    close(false);
  } else {
    offset_ += LogBlock::kBytes;
  }
  return true;
}

void OrphanedLogBuffers::list() {
  listed_ = true;
  names_ = memory_.list(std::string(LogBufferHead::kNamePrefix));
  std::ranges::sort(names_);
  std::ranges::rotate(names_, std::ranges::lower_bound(names_, LogBuffer::file_name(life_)));
  std::ranges::reverse(names_);
}

bool OrphanedLogBuffers::open_next() {
  if (names_.empty() || removed_ + left_ == kLookedAtMax) return false;
  std::string name = std::move(names_.back());
  names_.pop_back();
  if (memory_.in_use(name)) return true;
  const std::string page = memory_.read_part(name, 0, LogBufferHead::kPageBytes);
  const std::string path = LogBufferHead::path_in(page);
  if (path.empty() || !memory_.is_gone(path)) return true;
  name_ = std::move(name);
  head_ = *LogBufferHead::read(page);
  offset_ = LogBlock::kBytes;
  // No start uses what was there before the machine's own start. A record outside the buffer was
  // perhaps never written (log_buffer.h).
  if (head_.boot() != memory_.boot_id()) {
    close(true);
  } else if (head_.outside != 0 || head_.doubtful_first != 0) {
    close(false);
  }
  return true;
}

bool OrphanedLogBuffers::has_records(std::string_view bytes) const {
  std::uint64_t salt = 0;
  std::memcpy(&salt, bytes.data() + offsetof(LogBlock, salt), sizeof salt);
  if (salt != head_.salt) return false;  // never used, or inside a long record
  // A long record continues in the next blocks; its header is here, and that is enough.
  for (std::size_t at = LogBlock::kHeadBytes; at + RecordHeader::kBytes <= bytes.size();) {
    const auto record = RecordHeader::read_in_buffer(bytes.substr(at), head_.salt);
    if (!record) break;
    if (record->lsn.value > head_.durable) return true;
    if (record->whole_size() > bytes.size() - at) break;
    at += record->whole_size();
  }
  return false;
}

void OrphanedLogBuffers::close(bool useless) {
  if (useless && memory_.remove(name_).ok()) {
    ++removed_;
  } else {
    ++left_;
  }
  name_.clear();
}

}  // namespace slotcar::storage
