#include "base/long_reading.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/assert.h"

namespace slotcar::base {

LongReading::LongReading(SharedBytes bytes)
    : bytes_(std::move(bytes)), size_(bytes_.size()), readers_(bytes_.readers()) {
  readers_.add(*this);
}

LongReading::~LongReading() {
  const bool last = readers_.remove(*this, bytes_.block_->refs);
  if (last) bytes_.free();
  bytes_.detach();
  readers_.let_go();
}

void LongReading::read(std::size_t at, char* out, std::size_t size) {
  ASSERT(at + size <= size_);
  while (size > 0) {
    const std::size_t page = at / kPageBytes;
    const std::size_t within = at % kPageBytes;
    const std::size_t part = std::min(size, kPageBytes - within);
    {
      // Locked for each page anew, so that other threads wait no longer than the copy of one page
      // takes.
      std::lock_guard lock(readers_.mutex_);
      ASSERT(page >= released_pages_);
      const auto kept = kept_.find(page);
      std::memcpy(out, kept != kept_.end() ? kept->second.get() + within : bytes_.data() + at,
                  part);
    }
    at += part;
    out += part;
    size -= part;
  }
}

void LongReading::release_before(std::size_t at) {
  std::lock_guard lock(readers_.mutex_);
  const std::size_t pages = (at >= size_ ? size_ + kPageBytes - 1 : at) / kPageBytes;
  for (; released_pages_ < pages; ++released_pages_) kept_.erase(released_pages_);
}

std::size_t LongReading::kept_pages() const {
  std::lock_guard lock(readers_.mutex_);
  return kept_.size();
}

bool LongReading::was_written_beside() const {
  std::lock_guard lock(readers_.mutex_);
  return written_beside_;
}

std::size_t LongReading::memory() const {
  std::lock_guard lock(readers_.mutex_);
  const std::size_t readings = readers_.readings_.size();
  const bool is_elsewhere = bytes_.block_->refs.load(std::memory_order_acquire) > readings;
  return kept_.size() * kPageBytes + (is_elsewhere ? 0 : bytes_.footprint() / readings);
}

void LongReading::keep(const char* data, std::size_t from, std::size_t to) {
  written_beside_ = true;
  const std::size_t end = std::min(to, size_);
  for (std::size_t page = std::max(from / kPageBytes, released_pages_); page * kPageBytes < end;
       ++page) {
    const auto [kept, added] = kept_.try_emplace(page);
    if (!added) continue;
    const std::size_t begin = page * kPageBytes;
    const std::size_t bytes = std::min(kPageBytes, size_ - begin);
    kept->second = std::make_unique_for_overwrite<char[]>(bytes);
    std::memcpy(kept->second.get(), data + begin, bytes);
  }
}

void LongReaders::add(LongReading& reading) {
  holders_.fetch_add(1, std::memory_order_relaxed);
  std::lock_guard lock(mutex_);
  readings_.push_back(&reading);
}

// Both at once: in between a writer would find one reference too many, and would copy the buffer.
bool LongReaders::remove(LongReading& reading, std::atomic<std::uint32_t>& refs) {
  std::lock_guard lock(mutex_);
  std::erase(readings_, &reading);
  return refs.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

bool LongReaders::are_all(const std::atomic<std::uint32_t>& refs) {
  std::lock_guard lock(mutex_);
  return refs.load(std::memory_order_acquire) == 1 + readings_.size();
}

bool LongReaders::keep(const std::atomic<std::uint32_t>& refs, const char* data, std::size_t from,
                       std::size_t to) {
  std::lock_guard lock(mutex_);
  if (refs.load(std::memory_order_acquire) != 1 + readings_.size()) return false;
  for (LongReading* reading : readings_) reading->keep(data, from, to);
  return true;
}

}  // namespace slotcar::base
