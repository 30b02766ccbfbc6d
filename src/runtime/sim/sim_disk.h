// SimDisk: files in memory that behave at a crash as badly as an ext4-like disk may.
//
// Contents. A write goes to the page cache: reads see it, the medium does not have it yet. The
// kernel may write pages back at any moment (by the seed, now and then), but only `sync_data`
// promises. At `crash` each 512-byte sector of a dirty page, on its own, is found as the medium had
// it or as the cache had it: lost, torn and reordered writes all come out of that. The size of a
// file that grew is somewhere between the old and the new one; sectors that never arrived read as
// zeros.
//
// A failed `sync_data` does what Linux does: some sectors reached the medium, some did not, and all
// pages are marked clean, so that the *next* sync succeeds and promises nothing about them. The
// cache may even forget such a page later, and reads give old bytes again.
//
// Names. Creating, renaming and removing are promised only by `sync_directory` of the directory
// that holds the (new) name; syncing a file does not save its name. At a crash, by the seed, either
// a prefix of the unsaved changes survives (a journal), or any selection in which no change
// survives without the earlier ones that it rests on (same names). A rename is never half done.
// Changes inside a directory that did not survive are gone with it.
//
// Failures. Probabilities per call (SimDiskOptions), a capacity, and a script that is asked about
// each call and may fail it: "the third sync of the log fails". A write on a full disk may write
// part of its bytes, as the real one.
//
// Locks belong to a life, whose number stands for a process: a crash or a kill ends them.
//
// Not simulated: permissions, links, bit rot, reads that fail, time
// that reads take. Files open at a crash are dead: their calls fail.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/disk.h"
#include "runtime/sim/sim_inode.h"
#include "runtime/sim/sim_random.h"
#include "runtime/sim/sim_world.h"

namespace slotcar::runtime {

struct SimDiskOptions {
  std::uint64_t capacity_bytes = UINT64_MAX;
  std::uint32_t write_back_ppm = 50'000;  // of each write: the kernel writes some pages back
  std::uint32_t sync_fails_ppm = 0;
  std::uint32_t write_fails_ppm = 0;
  std::uint32_t open_fails_ppm = 0;
  std::uint32_t rename_fails_ppm = 0;
  // A sync keeps its simulated thread from running for up to this long...
  Nanos sync_time_max = 5 * kMillisecond;
  // ... and now and then for up to that long: the device hangs.
  std::uint32_t sync_hangs_ppm = 0;
  Nanos sync_hang_max = 3 * kSecond;
};

enum class DiskOperation : std::uint8_t {
  open,
  read,
  write,
  preallocate,
  sync_data,
  rename,
  remove,
  make_directory,
  sync_directory,
  list
};

// What the script is asked about.
struct DiskCall {
  DiskOperation operation;
  std::string_view path;
  std::uint64_t number;  // calls of this operation so far, this one included
};

class SimDisk final : public Disk {
 public:
  explicit SimDisk(SimWorld& world, const SimDiskOptions& options = {});

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override;
  Status rename(const std::string& from, const std::string& to) override;
  Status remove(const std::string& path) override;
  Status make_directory(const std::string& path) override;
  Status sync_directory(const std::string& path) override;
  Result<std::vector<std::string>> list(const std::string& directory) override;
  Result<std::unique_ptr<FileLock>> lock(const std::string& path) override;
  std::optional<std::int64_t> lock_holder(const std::string& path) override;

  // The power fails, and comes back: what is on the disk now is all there is.
  void crash();
  // The process is killed and the machine keeps running: what the kernel has stays.
  void kill();
  // The disk as one life of a node sees it: after the next crash all its calls fail. So a node can
  // be "killed" by a crash and its objects destroyed in order afterwards, without changing the
  // disk. The SimDisk must outlive it.
  std::unique_ptr<Disk> mount();

  void set_options(const SimDiskOptions& options) { options_ = options; }
  // True: the call fails. Asked before the probabilities. It may make the power fail (`crash`).
  void set_script(std::function<bool(const DiskCall&)> fails) { script_ = std::move(fails); }

  std::uint64_t used_bytes() const { return *used_bytes_; }
  std::uint64_t calls(DiskOperation operation) const {
    return calls_[static_cast<std::size_t>(operation)];
  }
  // What happened, so that a campaign of seeds can see that it did.
  struct Counters {
    std::uint64_t crashes = 0;
    std::uint64_t sectors_lost = 0;
    std::uint64_t sectors_kept = 0;
    std::uint64_t name_changes_lost = 0;
    std::uint64_t syncs_failed = 0;
    std::uint64_t syncs_hung = 0;
    std::uint64_t writes_failed = 0;
    std::uint64_t disk_full = 0;
  };
  const Counters& counters() const { return counters_; }

 private:
  friend class SimFile;
  friend class SimFileLock;
  friend class SimMount;
  static constexpr std::size_t kOperations = 10;
  using Names = std::map<std::string, std::shared_ptr<SimInode>>;

  // One change of names not yet promised: `gone` (if any) disappears, `made` (if any) comes to be.
  struct NameChange {
    std::string gone;
    std::string made;
    std::shared_ptr<SimInode> inode;
    bool rests_on(const NameChange& earlier) const;
  };

  bool fails(DiskOperation operation, std::string_view path, std::uint32_t per_million);
  void spend_sync_time();
  void change_names(NameChange change);
  static void apply(const NameChange& change, Names& names);
  bool directory_exists(const std::string& path) const;
  void lose_unsynced_names();
  Error failure(std::string_view what, std::string_view path, std::string_view why) const;

  SimWorld& world_;
  SimDiskOptions options_;
  SimDice dice_;
  Names names_;                      // what all calls see
  Names promised_names_;             // what survives for certain
  std::vector<NameChange> changes_;  // from the one to the other, in order
  std::shared_ptr<std::uint64_t> used_bytes_;
  std::uint64_t lives_ = 0;  // crashes so far; files know in which life they were opened
  std::map<std::string, std::uint64_t> locks_;  // by path: the life that took it
  std::function<bool(const DiskCall&)> script_;
  std::uint64_t calls_[kOperations] = {};
  Counters counters_;
};

}  // namespace slotcar::runtime
