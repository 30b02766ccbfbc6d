// SimInode: one file's bytes as the cache has them and as the medium has them. sim_disk.h has the
// rules of what may be lost; this class applies them to contents.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "runtime/sim/sim_random.h"

namespace slotcar::runtime {

class SimInode {
 public:
  static constexpr std::size_t kSectorBytes = 512;  // what a disk writes at once or not at all
  static constexpr std::size_t kPageBytes = 4096;   // what the cache calls dirty or clean

  enum class Kind { file, directory };
  SimInode(Kind kind, std::shared_ptr<std::uint64_t> used_bytes);
  ~SimInode();
  SimInode(const SimInode&) = delete;
  SimInode& operator=(const SimInode&) = delete;

  bool is_directory() const { return kind_ == Kind::directory; }
  std::uint64_t size() const { return cache_.size(); }

  std::size_t read(std::uint64_t offset, char* into, std::size_t size) const;
  void write(std::uint64_t offset, std::string_view bytes);
  void resize(std::uint64_t size);

  void sync();
  // The kernel writes some dirty sectors back, unasked.
  void write_back_some(SimDice& dice);
  // See sim_disk.h: some sectors are written, all pages are clean, some are forgotten.
  void fail_sync(SimDice& dice);

  struct Lost {
    std::uint64_t sectors_lost = 0;
    std::uint64_t sectors_kept = 0;
  };
  Lost crash(SimDice& dice);

 private:
  // The medium as it was before a truncation that is not yet promised: until the next sync a crash
  // may bring all of it back, and never a mixture of it with what was written after.
  struct BeforeTruncation {
    std::string medium;
    std::uint64_t size;
  };

  void mark_dirty(std::uint64_t offset, std::uint64_t size);
  bool differs(std::uint64_t sector) const;
  void copy_sector(std::uint64_t sector);  // from the cache to the medium
  void account();
  template <class F>
  void each_dirty_sector(F f) const;

  Kind kind_;
  std::shared_ptr<std::uint64_t> used_bytes_;
  std::uint64_t accounted_ = 0;
  std::string cache_;
  std::string medium_;             // zeros beyond its end
  std::uint64_t medium_size_ = 0;  // the size in the medium's metadata
  std::optional<BeforeTruncation> before_truncation_;
  std::set<std::uint64_t> dirty_pages_;
};

}  // namespace slotcar::runtime
