#include "runtime/real/real_disk.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "runtime/file_descriptor.h"
#include "runtime/system_error.h"

namespace slotcar::runtime {
namespace {

constexpr std::size_t kPiecesMax = IOV_MAX;  // of one system call

Error failure(const std::string& what, const std::string& path, int error) {
  return system_error("cannot " + what + " " + path, error);
}

// Repeats a call that a signal interrupted. Our threads block signals, but a debugger causes some.
template <class Call>
auto uninterrupted(Call call) {
  for (;;) {
    const auto result = call();
    if (result != -1 || errno != EINTR) return result;
  }
}

class RealFile final : public File {
 public:
  RealFile(FileDescriptor fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}

  // Fewer bytes than asked for mean the end of the file, nothing else.
  Result<std::size_t> read_at(std::uint64_t offset, char* into, std::size_t size) override {
    std::size_t done = 0;
    while (done < size) {
      const ssize_t got = uninterrupted([&] {
        return ::pread(fd_.get(), into + done, size - done, static_cast<off_t>(offset + done));
      });
      if (got < 0) return failure("read", path_, errno);
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }

  Status write_at(std::uint64_t offset, std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t put = uninterrupted([&] {
        return ::pwrite(fd_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
      });
      if (put < 0) return failure("write", path_, errno);
      // A full disk shows as a short write first, and as ENOSPC when the rest is tried.
      bytes.remove_prefix(static_cast<std::size_t>(put));
      offset += static_cast<std::uint64_t>(put);
    }
    return {};
  }

  Status write_pieces_at(std::uint64_t offset, std::span<const std::string_view> pieces) override {
    std::vector<iovec> vectors;
    while (!pieces.empty()) {
      vectors.clear();
      for (const std::string_view piece : pieces.first(std::min(pieces.size(), kPiecesMax))) {
        vectors.push_back({const_cast<char*>(piece.data()), piece.size()});
      }
      const ssize_t put = uninterrupted([&] {
        return ::pwritev(fd_.get(), vectors.data(), static_cast<int>(vectors.size()),
                         static_cast<off_t>(offset));
      });
      if (put < 0) return failure("write", path_, errno);
      auto left = static_cast<std::size_t>(put);
      offset += left;
      while (!pieces.empty() && left >= pieces.front().size()) {
        left -= pieces.front().size();
        pieces = pieces.subspan(1);
      }
      if (left == 0) continue;
      // A short write ended within a piece: the rest of it alone.
      const std::string_view rest = pieces.front().substr(left);
      if (Status done = write_at(offset, rest); !done) return done;
      offset += rest.size();
      pieces = pieces.subspan(1);
    }
    return {};
  }

  // The file gets this size, of zeros where nothing was written, with the space really taken.
  Status preallocate(std::uint64_t size) override {
    const auto bytes = static_cast<off_t>(size);
    if (uninterrupted([&] { return ::fallocate(fd_.get(), 0, 0, bytes); }) == 0) return {};
    int error = errno;
    if (error == EOPNOTSUPP) {
      // The file system has no such call: the C library writes the zeros itself.
      do {
        error = ::posix_fallocate(fd_.get(), 0, bytes);
      } while (error == EINTR);
      if (error == 0) return {};
    }
    return failure("reserve space for", path_, error);
  }

  Status sync_data() override {
    // Not repeated on any error but EINTR: after a failure the kernel may have dropped the pages
    // and would report success the second time.
    if (uninterrupted([&] { return ::fdatasync(fd_.get()); }) == 0) return {};
    return failure("sync", path_, errno);
  }

  // Waiting for the range before keeps at most two of them dirty.
  Status write_back(std::uint64_t offset, std::uint64_t size) override {
    constexpr unsigned kWait =
        SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
    const std::uint64_t before = std::exchange(write_back_from_, offset);
    if (offset > before && !range_synced(before, offset - before, kWait)) {
      return failure("write back", path_, errno);
    }
    if (!range_synced(offset, size, SYNC_FILE_RANGE_WRITE)) {
      return failure("write back", path_, errno);
    }
    return {};
  }

  void forget(std::uint64_t offset, std::uint64_t size) override {
    if (size == 0) return;  // the kernel would take it for everything from there on
    (void)::posix_fadvise(fd_.get(), static_cast<off_t>(offset), static_cast<off_t>(size),
                          POSIX_FADV_DONTNEED);
  }

  // Where the file system has no holes, the space stays taken.
  void release_from(std::uint64_t offset) override {
    const auto end = size();
    if (!end || *end <= offset) return;
    (void)::fallocate(fd_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                      static_cast<off_t>(offset), static_cast<off_t>(*end - offset));
  }

  Result<std::uint64_t> size() override {
    struct stat info = {};
    if (::fstat(fd_.get(), &info) != 0) return failure("stat", path_, errno);
    return static_cast<std::uint64_t>(info.st_size);
  }

 private:
  // A kernel without the call just writes when it likes.
  bool range_synced(std::uint64_t offset, std::uint64_t size, unsigned flags) {
    return uninterrupted([&] {
             return ::sync_file_range(fd_.get(), static_cast<off_t>(offset),
                                      static_cast<off_t>(size), flags);
           }) == 0 ||
           errno == ENOSYS;
  }

  FileDescriptor fd_;
  std::string path_;
  std::uint64_t write_back_from_ = 0;
};

class RealFileLock final : public FileLock {
 public:
  RealFileLock(FileDescriptor fd, FileDescriptor directory)
      : fd_(std::move(fd)), directory_(std::move(directory)) {}

  bool is_on(const std::string& path) const override {
    struct stat mine = {};
    struct stat named = {};
    if (::fstat(fd_.get(), &mine) != 0 || ::stat(path.c_str(), &named) != 0) return false;
    return mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
  }

 private:
  FileDescriptor fd_;
  FileDescriptor directory_;
};

// The lock file may be removed by hand while its holder lives, and the next server would make a new
// one. The directory itself cannot be: so it is locked as well, where the file system can do that.
// False: another process has it.
bool lock_parent(const std::string& path, FileDescriptor& into) {
  const std::string directory = std::filesystem::path(path).parent_path();
  into = FileDescriptor(
      uninterrupted([&] { return ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  return !into || ::flock(into.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

// The whole file.
struct flock exclusive_lock() {
  struct flock wanted = {};
  wanted.l_type = F_WRLCK;
  wanted.l_whence = SEEK_SET;
  return wanted;
}

int open_flags(OpenMode mode) {
  switch (mode) {
    case OpenMode::read:
      return O_RDONLY;
    case OpenMode::create:
    case OpenMode::create_private:
      return O_RDWR | O_CREAT | O_TRUNC;
    case OpenMode::read_write:
      return O_RDWR;
  }
  UNREACHABLE();
}

}  // namespace

Result<std::unique_ptr<File>> RealDisk::open(const std::string& path, OpenMode mode) {
  const int flags = open_flags(mode) | O_CLOEXEC;
  const ::mode_t rights = mode == OpenMode::create_private ? 0600 : 0644;
  FileDescriptor fd(uninterrupted([&] { return ::open(path.c_str(), flags, rights); }));
  if (!fd) return failure(creates(mode) ? "create" : "open", path, errno);
  // It may have been there before.
  if (mode == OpenMode::create_private && ::fchmod(fd.get(), rights) != 0) {
    return failure("protect", path, errno);
  }
  return std::unique_ptr<File>(std::make_unique<RealFile>(std::move(fd), path));
}

Status RealDisk::rename(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) == 0) return {};
  return failure("rename " + from + " to", to, errno);
}

Status RealDisk::copy_access(const std::string& from, const std::string& to) {
  struct stat info = {};
  if (::stat(from.c_str(), &info) != 0) return {};
  if (::chmod(to.c_str(), info.st_mode & 0777) == 0) return {};
  return failure("set the mode of", to, errno);
}

Status RealDisk::remove(const std::string& path) {
  if (::unlink(path.c_str()) == 0) return {};
  return failure("remove", path, errno);
}

Status RealDisk::make_directory(const std::string& path) {
  if (::mkdir(path.c_str(), 0755) == 0) return {};
  const int error = errno;
  struct stat info = {};
  if (error == EEXIST && ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) return {};
  return failure("make directory", path, error);
}

Status RealDisk::sync_directory(const std::string& path) {
  FileDescriptor fd(
      uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (!fd) return failure("open directory", path, errno);
  if (uninterrupted([&] { return ::fsync(fd.get()); }) == 0) return {};
  return failure("sync directory", path, errno);
}

Result<std::vector<std::string>> RealDisk::list(const std::string& directory) {
  std::unique_ptr<DIR, int (*)(DIR*)> dir(::opendir(directory.c_str()), &::closedir);
  if (!dir) return failure("list", directory, errno);
  std::vector<std::string> names;
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(dir.get());
    if (!entry) {
      if (errno != 0) return failure("list", directory, errno);
      break;
    }
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::unique_ptr<FileLock>> RealDisk::lock(const std::string& path) {
  FileDescriptor fd(
      uninterrupted([&] { return ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644); }));
  if (!fd) return failure("open", path, errno);
  struct flock wanted = exclusive_lock();
  if (uninterrupted([&] { return ::fcntl(fd.get(), F_OFD_SETLK, &wanted); }) != 0) {
    return failure("lock", path, errno);
  }
  FileDescriptor directory;
  if (!lock_parent(path, directory)) {
    return Error{"another server runs in this directory, and its lock file " + path +
                 " was removed: stop it first, or choose another 'dir'"};
  }
  // The process number is only information for a process that finds the lock taken. On a full disk
  // it is missing.
  const std::string pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(fd.get(), 0) == 0) (void)!::pwrite(fd.get(), pid.data(), pid.size(), 0);
  return std::unique_ptr<FileLock>(
      std::make_unique<RealFileLock>(std::move(fd), std::move(directory)));
}

std::optional<std::int64_t> RealDisk::lock_holder(const std::string& path) {
  FileDescriptor fd(uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); }));
  if (!fd) return std::nullopt;
  // This asks without taking the lock, so it does not disturb a server that is starting.
  struct flock found = exclusive_lock();
  if (::fcntl(fd.get(), F_OFD_GETLK, &found) != 0 || found.l_type == F_UNLCK) return std::nullopt;
  char text[32];
  const ssize_t got = uninterrupted([&] { return ::pread(fd.get(), text, sizeof text, 0); });
  std::int64_t pid = 0;
  if (got > 0) std::from_chars(text, text + got, pid);
  return pid;
}

}  // namespace slotcar::runtime
