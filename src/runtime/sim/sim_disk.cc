#include "runtime/sim/sim_disk.h"

#include <fmt/format.h>

#include <algorithm>

namespace slotcar::runtime {
namespace {

constexpr std::string_view kNoSuchFile = "No such file or directory";
constexpr std::string_view kIoError = "Input/output error";
constexpr std::string_view kNoSpace = "No space left on device";

std::string tidy(std::string path) {
  while (path.starts_with("./")) path.erase(0, 2);
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  if (path == ".") path.clear();
  return path;
}

// "" is the directory that the node was started in.
std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return "";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

class SimFile final : public File {
 public:
  SimFile(SimDisk& disk, std::string path, std::shared_ptr<SimInode> inode, bool writable)
      : disk_(disk),
        path_(std::move(path)),
        inode_(std::move(inode)),
        life_(disk.lives_),
        writable_(writable) {}

  Result<std::size_t> read_at(std::uint64_t offset, char* into, std::size_t size) override;
  Status write_at(std::uint64_t offset, std::string_view bytes) override;
  Status write_pieces_at(std::uint64_t offset, std::span<const std::string_view> pieces) override;
  Status preallocate(std::uint64_t size) override;
  Status sync_data() override;
  Status write_back(std::uint64_t offset, std::uint64_t size) override;
  Result<std::uint64_t> size() override;

 private:
  bool alive() const { return life_ == disk_.lives_; }
  Error dead() const { return disk_.failure("use", path_, "it was open when the machine crashed"); }
  std::uint64_t room() const {
    return disk_.options_.capacity_bytes -
           std::min(disk_.options_.capacity_bytes, disk_.used_bytes());
  }

  SimDisk& disk_;
  std::string path_;
  std::shared_ptr<SimInode> inode_;
  std::uint64_t life_;
  bool writable_;
};

Result<std::size_t> SimFile::read_at(std::uint64_t offset, char* into, std::size_t size) {
  if (!alive()) return dead();
  if (disk_.fails(DiskOperation::read, path_, 0)) return disk_.failure("read", path_, kIoError);
  return inode_->read(offset, into, size);
}

Status SimFile::write_at(std::uint64_t offset, std::string_view bytes) {
  if (!alive()) return dead();
  if (!writable_) return disk_.failure("write", path_, "Bad file descriptor");
  const bool fails = disk_.fails(DiskOperation::write, path_, disk_.options_.write_fails_ppm);
  if (!alive()) return dead();  // the script made the power fail
  const std::uint64_t end = offset + bytes.size();
  const std::uint64_t growth = end > inode_->size() ? end - inode_->size() : 0;
  const bool full = growth > room();
  if (fails || full) {
    // Some of it may have been written before it failed, but never beyond what there is room for.
    std::uint64_t most = bytes.size();
    if (full) most -= std::min<std::uint64_t>(most, growth - room());
    inode_->write(offset, bytes.substr(0, disk_.dice_.below(most + 1)));
    ++(full ? disk_.counters_.disk_full : disk_.counters_.writes_failed);
    return disk_.failure("write", path_, full ? kNoSpace : kIoError);
  }
  inode_->write(offset, bytes);
  if (disk_.dice_.happens(disk_.options_.write_back_ppm)) inode_->write_back_some(disk_.dice_);
  return {};
}

Status SimFile::write_pieces_at(std::uint64_t offset, std::span<const std::string_view> pieces) {
  std::string whole;
  for (const std::string_view piece : pieces) whole += piece;
  return write_at(offset, whole);
}

Status SimFile::preallocate(std::uint64_t size) {
  if (!alive()) return dead();
  if (disk_.fails(DiskOperation::preallocate, path_, 0)) {
    return disk_.failure("preallocate", path_, kIoError);
  }
  if (size <= inode_->size()) return {};
  if (size - inode_->size() > room()) {
    ++disk_.counters_.disk_full;
    return disk_.failure("preallocate", path_, kNoSpace);
  }
  inode_->resize(size);
  return {};
}

Status SimFile::sync_data() {
  if (!alive()) return dead();
  disk_.spend_sync_time();
  if (disk_.fails(DiskOperation::sync_data, path_, disk_.options_.sync_fails_ppm)) {
    if (!alive()) return dead();
    ++disk_.counters_.syncs_failed;
    inode_->fail_sync(disk_.dice_);
    return disk_.failure("sync", path_, kIoError);
  }
  inode_->sync();
  return {};
}

// Fails as a sync does, and has then lost as much.
Status SimFile::write_back(std::uint64_t, std::uint64_t) {
  if (!alive()) return dead();
  if (disk_.fails(DiskOperation::sync_data, path_, disk_.options_.sync_fails_ppm)) {
    if (!alive()) return dead();
    ++disk_.counters_.syncs_failed;
    inode_->fail_sync(disk_.dice_);
    return disk_.failure("write back", path_, kIoError);
  }
  inode_->write_back_some(disk_.dice_);
  return {};
}

Result<std::uint64_t> SimFile::size() {
  if (!alive()) return dead();
  return inode_->size();
}

class SimFileLock final : public FileLock {
 public:
  SimFileLock(SimDisk& disk, std::string path)
      : disk_(disk), path_(std::move(path)), life_(disk.lives_) {}
  ~SimFileLock() override {
    const auto found = disk_.locks_.find(path_);
    if (found != disk_.locks_.end() && found->second == life_) disk_.locks_.erase(found);
  }
  bool is_on(const std::string& path) const override { return tidy(path) == path_; }

 private:
  SimDisk& disk_;
  std::string path_;
  std::uint64_t life_;
};

// See SimDisk::mount.
class SimMount final : public Disk {
 public:
  explicit SimMount(SimDisk& disk) : disk_(disk), life_(disk.lives_) {}

  Result<std::unique_ptr<File>> open(const std::string& path, OpenMode mode) override {
    if (!alive()) return dead(path);
    return disk_.open(path, mode);
  }
  Status rename(const std::string& from, const std::string& to) override {
    return alive() ? disk_.rename(from, to) : dead(from);
  }
  Status remove(const std::string& path) override {
    return alive() ? disk_.remove(path) : dead(path);
  }
  Status make_directory(const std::string& path) override {
    return alive() ? disk_.make_directory(path) : dead(path);
  }
  Status sync_directory(const std::string& path) override {
    return alive() ? disk_.sync_directory(path) : dead(path);
  }
  Result<std::vector<std::string>> list(const std::string& directory) override {
    if (!alive()) return dead(directory);
    return disk_.list(directory);
  }
  Result<std::unique_ptr<FileLock>> lock(const std::string& path) override {
    if (!alive()) return dead(path);
    return disk_.lock(path);
  }
  std::optional<std::int64_t> lock_holder(const std::string& path) override {
    return disk_.lock_holder(path);
  }

 private:
  bool alive() const { return life_ == disk_.lives_; }
  Error dead(const std::string& path) const {
    return disk_.failure("use", path, "the machine crashed");
  }

  SimDisk& disk_;
  std::uint64_t life_;
};

SimDisk::SimDisk(SimWorld& world, const SimDiskOptions& options)
    : world_(world),
      options_(options),
      dice_(world.stream_seed("disk")),
      used_bytes_(std::make_shared<std::uint64_t>(0)) {}

Result<std::unique_ptr<File>> SimDisk::open(const std::string& raw_path, OpenMode mode) {
  const std::string path = tidy(raw_path);
  if (fails(DiskOperation::open, path, options_.open_fails_ppm)) {
    return failure("open", path, kIoError);
  }
  auto found = names_.find(path);
  if (found != names_.end() && found->second->is_directory()) {
    return failure("open", path, "Is a directory");
  }
  if (!creates(mode) && found == names_.end()) return failure("open", path, kNoSuchFile);
  if (creates(mode) && found == names_.end()) {
    if (!directory_exists(parent_of(path))) return failure("create", path, kNoSuchFile);
    change_names({"", path, std::make_shared<SimInode>(SimInode::Kind::file, used_bytes_)});
    found = names_.find(path);
  } else if (creates(mode)) {
    found->second->resize(0);
  }
  return std::unique_ptr<File>(
      std::make_unique<SimFile>(*this, path, found->second, mode != OpenMode::read));
}

Status SimDisk::rename(const std::string& raw_from, const std::string& raw_to) {
  const std::string from = tidy(raw_from);
  const std::string to = tidy(raw_to);
  if (fails(DiskOperation::rename, from, options_.rename_fails_ppm)) {
    return failure("rename", from, kIoError);
  }
  auto found = names_.find(from);
  if (found == names_.end() || !directory_exists(parent_of(to))) {
    return failure("rename", from, kNoSuchFile);
  }
  if (names_.contains(to) && (directory_exists(from) || directory_exists(to))) {
    return failure("rename", from, "the simulated disk replaces files only");
  }
  if (from != to) change_names({from, to, found->second});
  return {};
}

Status SimDisk::remove(const std::string& raw_path) {
  const std::string path = tidy(raw_path);
  if (fails(DiskOperation::remove, path, 0)) return failure("remove", path, kIoError);
  if (!names_.contains(path)) return failure("remove", path, kNoSuchFile);
  if (directory_exists(path)) return failure("remove", path, "Is a directory");
  change_names({path, "", nullptr});
  return {};
}

Status SimDisk::make_directory(const std::string& raw_path) {
  const std::string path = tidy(raw_path);
  if (fails(DiskOperation::make_directory, path, 0)) {
    return failure("make directory", path, kIoError);
  }
  if (directory_exists(path)) return {};
  if (names_.contains(path)) return failure("make directory", path, "File exists");
  if (!directory_exists(parent_of(path))) return failure("make directory", path, kNoSuchFile);
  change_names({"", path, std::make_shared<SimInode>(SimInode::Kind::directory, used_bytes_)});
  return {};
}

void SimDisk::spend_sync_time() {
  Nanos longest = options_.sync_time_max;
  if (options_.sync_hangs_ppm != 0 && dice_.below(1'000'000) < options_.sync_hangs_ppm) {
    longest = options_.sync_hang_max;
    ++counters_.syncs_hung;
  }
  world_.stall_current(dice_.between(0, longest));
}

Status SimDisk::sync_directory(const std::string& raw_path) {
  const std::string path = tidy(raw_path);
  spend_sync_time();
  if (fails(DiskOperation::sync_directory, path, options_.sync_fails_ppm)) {
    ++counters_.syncs_failed;
    return failure("sync directory", path, kIoError);
  }
  if (!directory_exists(path)) return failure("sync directory", path, kNoSuchFile);
  // The changes of this directory, and whatever they rest on; nothing else is promised.
  std::vector<bool> promised(changes_.size());
  for (std::size_t i = changes_.size(); i-- > 0;) {
    const NameChange& change = changes_[i];
    if (parent_of(change.made.empty() ? change.gone : change.made) == path) promised[i] = true;
    for (std::size_t j = 0; promised[i] && j < i; ++j) {
      if (change.rests_on(changes_[j])) promised[j] = true;
    }
  }
  std::vector<NameChange> others;
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    if (promised[i]) {
      apply(changes_[i], promised_names_);
    } else {
      others.push_back(std::move(changes_[i]));
    }
  }
  changes_ = std::move(others);
  return {};
}

Result<std::vector<std::string>> SimDisk::list(const std::string& raw_directory) {
  const std::string directory = tidy(raw_directory);
  if (fails(DiskOperation::list, directory, 0)) return failure("list", directory, kIoError);
  if (!directory_exists(directory)) return failure("list", directory, kNoSuchFile);
  std::vector<std::string> inside;
  for (const auto& [path, inode] : names_) {
    if (parent_of(path) == directory) inside.push_back(path.substr(path.rfind('/') + 1));
  }
  return inside;
}

Result<std::unique_ptr<FileLock>> SimDisk::lock(const std::string& raw_path) {
  const std::string path = tidy(raw_path);
  auto file = open(path, names_.contains(path) ? OpenMode::read_write : OpenMode::create);
  if (!file) return file.error();
  if (lock_holder(path)) return failure("lock", path, "Resource temporarily unavailable");
  locks_[path] = lives_;
  return std::unique_ptr<FileLock>(std::make_unique<SimFileLock>(*this, path));
}

std::optional<std::int64_t> SimDisk::lock_holder(const std::string& path) {
  const auto found = locks_.find(tidy(path));
  if (found == locks_.end() || found->second != lives_) return std::nullopt;
  return static_cast<std::int64_t>(found->second) + 1;
}

void SimDisk::kill() {
  ++lives_;
}

void SimDisk::crash() {
  ++counters_.crashes;
  ++lives_;
  lose_unsynced_names();
  for (const auto& [path, inode] : names_) {
    const SimInode::Lost lost = inode->crash(dice_);
    counters_.sectors_lost += lost.sectors_lost;
    counters_.sectors_kept += lost.sectors_kept;
  }
}

std::unique_ptr<Disk> SimDisk::mount() {
  return std::make_unique<SimMount>(*this);
}

bool SimDisk::NameChange::rests_on(const NameChange& earlier) const {
  for (const std::string* mine : {&gone, &made}) {
    if (mine->empty()) continue;
    if (*mine == earlier.gone || *mine == earlier.made) return true;
    // A name needs its directory.
    if (!earlier.made.empty() && parent_of(*mine) == earlier.made) return true;
  }
  return false;
}

bool SimDisk::fails(DiskOperation operation, std::string_view path, std::uint32_t per_million) {
  const auto which = static_cast<std::size_t>(operation);
  ++calls_[which];
  world_.note(SimTrace::disk, which);
  if (script_ && script_({operation, path, calls_[which]})) return true;
  return dice_.happens(per_million);
}

void SimDisk::change_names(NameChange change) {
  apply(change, names_);
  changes_.push_back(std::move(change));
}

void SimDisk::apply(const NameChange& change, Names& names) {
  if (!change.gone.empty()) names.erase(change.gone);
  if (!change.made.empty()) names[change.made] = change.inode;
  if (change.gone.empty() || change.made.empty() || !change.inode->is_directory()) return;
  // What is in a directory moves with it.
  const std::string prefix = change.gone + "/";
  for (auto at = names.lower_bound(prefix); at != names.end() && at->first.starts_with(prefix);) {
    names[change.made + "/" + at->first.substr(prefix.size())] = at->second;
    at = names.erase(at);
  }
}

bool SimDisk::directory_exists(const std::string& path) const {
  if (path.empty() || path == "/") return true;
  auto found = names_.find(path);
  return found != names_.end() && found->second->is_directory();
}

void SimDisk::lose_unsynced_names() {
  std::vector<bool> kept(changes_.size());
  const bool in_order = dice_.coin();
  const std::size_t prefix = dice_.below(changes_.size() + 1);
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    kept[i] = in_order ? i < prefix : dice_.coin();
    for (std::size_t j = 0; kept[i] && j < i; ++j) {
      if (!kept[j] && changes_[i].rests_on(changes_[j])) kept[i] = false;
    }
    if (kept[i]) {
      apply(changes_[i], promised_names_);
    } else {
      ++counters_.name_changes_lost;
    }
  }
  changes_.clear();
  names_ = promised_names_;
  // A directory sorts before what is in it, so one pass finds all that lost theirs.
  std::erase_if(names_,
                [this](const auto& entry) { return !directory_exists(parent_of(entry.first)); });
  promised_names_ = names_;
}

Error SimDisk::failure(std::string_view what, std::string_view path, std::string_view why) const {
  return Error{fmt::format("cannot {} {}: {}", what, path, why)};
}

}  // namespace slotcar::runtime
