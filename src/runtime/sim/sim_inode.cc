#include "runtime/sim/sim_inode.h"

#include <algorithm>
#include <cstring>

#include "base/assert.h"

namespace slotcar::runtime {

SimInode::SimInode(Kind kind, std::shared_ptr<std::uint64_t> used_bytes)
    : kind_(kind), used_bytes_(std::move(used_bytes)) {}

SimInode::~SimInode() {
  *used_bytes_ -= accounted_;
}

std::size_t SimInode::read(std::uint64_t offset, char* into, std::size_t size) const {
  if (offset >= cache_.size()) return 0;
  const std::size_t there = std::min<std::size_t>(size, cache_.size() - offset);
  std::memcpy(into, cache_.data() + offset, there);
  return there;
}

void SimInode::write(std::uint64_t offset, std::string_view bytes) {
  if (bytes.empty()) return;
  if (offset + bytes.size() > cache_.size()) cache_.resize(offset + bytes.size());
  std::memcpy(cache_.data() + offset, bytes.data(), bytes.size());
  mark_dirty(offset, bytes.size());
  account();
}

void SimInode::resize(std::uint64_t size) {
  if (size < cache_.size()) {
    if (!before_truncation_) before_truncation_ = BeforeTruncation{medium_, medium_size_};
    medium_.resize(std::min<std::uint64_t>(medium_.size(), size));
    medium_size_ = std::min(medium_size_, size);
  }
  cache_.resize(size);
  account();
}

void SimInode::sync() {
  each_dirty_sector([this](std::uint64_t sector) { copy_sector(sector); });
  dirty_pages_.clear();
  before_truncation_.reset();
  medium_.resize(cache_.size());
  medium_size_ = cache_.size();
}

void SimInode::write_back_some(SimDice& dice) {
  const std::uint64_t one_in = 1 + dice.below(4);
  each_dirty_sector([&](std::uint64_t sector) {
    if (dice.below(one_in) == 0) copy_sector(sector);
  });
  // The pages stay dirty: that only permits more losses, and writing a sector back twice does no
  // harm.
}

void SimInode::fail_sync(SimDice& dice) {
  write_back_some(dice);
  for (std::uint64_t page : dirty_pages_) {
    if (dice.below(4) != 0) continue;
    for (std::uint64_t at = page * kPageBytes; at < (page + 1) * kPageBytes; ++at) {
      if (at < cache_.size()) cache_[at] = at < medium_.size() ? medium_[at] : '\0';
    }
  }
  dirty_pages_.clear();
}

SimInode::Lost SimInode::crash(SimDice& dice) {
  Lost lost;
  if (before_truncation_ && dice.coin()) {
    each_dirty_sector([&](std::uint64_t) { ++lost.sectors_lost; });
    medium_ = std::move(before_truncation_->medium);
    medium_size_ = before_truncation_->size;
  } else {
    // All lost, all kept and every mixture should come often enough.
    const std::uint64_t kept_of_8 = dice.below(9);
    each_dirty_sector([&](std::uint64_t sector) {
      if (!differs(sector)) return;
      const bool kept = dice.below(8) < kept_of_8;
      if (kept) copy_sector(sector);
      ++(kept ? lost.sectors_kept : lost.sectors_lost);
    });
    const std::uint64_t low = std::min<std::uint64_t>(medium_size_, cache_.size());
    const std::uint64_t high = std::max<std::uint64_t>(medium_size_, cache_.size());
    switch (dice.below(3)) {
      case 0:
        break;
      case 1:
        medium_size_ = cache_.size();
        break;
      default:
        medium_size_ = low + dice.below(high - low + 1);
        break;
    }
  }
  before_truncation_.reset();
  dirty_pages_.clear();
  medium_.resize(medium_size_);
  cache_ = medium_;
  account();
  return lost;
}

void SimInode::mark_dirty(std::uint64_t offset, std::uint64_t size) {
  for (std::uint64_t page = offset / kPageBytes; page <= (offset + size - 1) / kPageBytes; ++page) {
    dirty_pages_.insert(page);
  }
}

bool SimInode::differs(std::uint64_t sector) const {
  const std::uint64_t begin = sector * kSectorBytes;
  const std::uint64_t end = std::min<std::uint64_t>(begin + kSectorBytes, cache_.size());
  for (std::uint64_t at = begin; at < end; ++at) {
    if (cache_[at] != (at < medium_.size() ? medium_[at] : '\0')) return true;
  }
  return false;
}

void SimInode::copy_sector(std::uint64_t sector) {
  const std::uint64_t begin = sector * kSectorBytes;
  const std::uint64_t end = std::min<std::uint64_t>(begin + kSectorBytes, cache_.size());
  if (begin >= end) return;
  if (medium_.size() < end) medium_.resize(end);
  std::memcpy(medium_.data() + begin, cache_.data() + begin, end - begin);
}

void SimInode::account() {
  *used_bytes_ += cache_.size() - accounted_;
  accounted_ = cache_.size();
}

template <class F>
void SimInode::each_dirty_sector(F f) const {
  constexpr std::uint64_t kSectorsPerPage = kPageBytes / kSectorBytes;
  for (std::uint64_t page : dirty_pages_) {
    for (std::uint64_t i = 0; i < kSectorsPerPage; ++i) {
      const std::uint64_t sector = page * kSectorsPerPage + i;
      if (sector * kSectorBytes < cache_.size()) f(sector);
    }
  }
}

}  // namespace slotcar::runtime
