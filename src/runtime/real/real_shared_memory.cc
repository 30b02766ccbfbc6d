#include "runtime/real/real_shared_memory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "base/assert.h"
#include "runtime/file_descriptor.h"
#include "runtime/real/real_disk.h"
#include "runtime/system_error.h"

namespace slotcar::runtime {
namespace {

// A file that is younger is not listed: servers that have just been killed start again, and to look
// at what they left takes time and memory.
constexpr std::time_t kListedAfterSeconds = 600;

class RealRegion final : public SharedRegion {
 public:
  RealRegion(FileDescriptor fd, std::string path, char* data, std::size_t size)
      : fd_(std::move(fd)), path_(std::move(path)), data_(data), size_(size) {}
  ~RealRegion() override { ::munmap(data_, size_); }

  char* data() override { return data_; }
  std::size_t size() const override { return size_; }

  Status allocate(std::size_t offset, std::size_t bytes) override {
    while (::fallocate(fd_.get(), 0, static_cast<off_t>(offset), static_cast<off_t>(bytes)) != 0) {
      if (errno != EINTR) return system_error("cannot take space for " + path_, errno);
    }
    return {};
  }
  void discard(std::size_t offset, std::size_t bytes) override {
    // Where that is not possible the pages stay allocated, and are reused.
    static_cast<void>(::fallocate(fd_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                  static_cast<off_t>(offset), static_cast<off_t>(bytes)));
  }

 private:
  FileDescriptor fd_;
  std::string path_;
  char* data_;
  std::size_t size_;
};

// Maps the file where the address is a multiple of `alignment`; null: it cannot be.
char* map_aligned(int fd, std::size_t size, std::size_t alignment) {
  const std::size_t reserved = size + alignment;
  void* const place = ::mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<char*>(place);
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  char* const at = begin + ((alignment - address % alignment) % alignment);
  void* const mapped = ::mmap(at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
  if (at > begin) ::munmap(begin, static_cast<std::size_t>(at - begin));
  const std::size_t behind = reserved - static_cast<std::size_t>(at - begin) - size;
  if (behind > 0) ::munmap(at + size, behind);
  if (mapped == MAP_FAILED) {
    ::munmap(at, size);
    return nullptr;
  }
  return at;
}

}  // namespace

Result<std::unique_ptr<SharedRegion>> RealSharedMemory::create(const std::string& name,
                                                               std::size_t size,
                                                               std::size_t alignment) {
  ASSERT(size % alignment == 0);
  const std::string file = path(name);
  FileDescriptor fd(::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (fd.get() < 0) return system_error("cannot create " + file, errno);
  // For as long as this process lives: nobody takes the file for what a killed one has left. It
  // waits for a process that looks just now whether the file is in use (`in_use`).
  while (::flock(fd.get(), LOCK_EX) != 0 && errno == EINTR) {
  }
  const auto failed = [&](const char* what) {
    Error error = system_error(std::string("cannot ") + what + " " + file, errno);
    ::unlink(file.c_str());
    return error;
  };
  if (::ftruncate(fd.get(), static_cast<off_t>(size)) != 0) return failed("extend");
  char* const data = map_aligned(fd.get(), size, alignment);
  if (data == nullptr) return failed("map");
  return std::unique_ptr<SharedRegion>(
      std::make_unique<RealRegion>(std::move(fd), file, data, size));
}

bool RealSharedMemory::in_use(const std::string& name) {
  FileDescriptor fd(::open(path(name).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  return fd.get() >= 0 && ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

Result<std::optional<std::string>> RealSharedMemory::read(const std::string& name) {
  const std::string file = path(name);
  FileDescriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (fd.get() < 0) {
    if (errno == ENOENT) return std::optional<std::string>();
    return system_error("cannot open " + file, errno);
  }
  struct stat about;
  if (::fstat(fd.get(), &about) != 0) return system_error("cannot read " + file, errno);
  // With read calls instead of a mapping: reading a hole through a mapping would allocate a page.
  std::string bytes(static_cast<std::size_t>(about.st_size), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got =
        ::pread(fd.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("cannot read " + file, errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return std::optional<std::string>(std::move(bytes));
}

std::string RealSharedMemory::read_front(const std::string& name, std::size_t bytes) {
  FileDescriptor fd(::open(path(name).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (fd.get() < 0) return {};
  std::string front(bytes, '\0');
  const ssize_t got = ::pread(fd.get(), front.data(), bytes, 0);
  front.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return front;
}

std::vector<std::string> RealSharedMemory::list(const std::string& prefix) {
  auto names = RealDisk().list(directory_);
  if (!names) return {};
  const std::time_t before = std::time(nullptr) - kListedAfterSeconds;
  std::erase_if(*names, [&](const std::string& name) {
    struct stat about = {};
    return !name.starts_with(prefix) || ::stat(path(name).c_str(), &about) != 0 ||
           about.st_mtime > before;
  });
  return std::move(*names);
}

Status RealSharedMemory::remove(const std::string& name) {
  const std::string file = path(name);
  if (::unlink(file.c_str()) == 0 || errno == ENOENT) return {};
  return system_error("cannot remove " + file, errno);
}

std::string RealSharedMemory::boot_id() {
  RealDisk disk;
  auto file = disk.open("/proc/sys/kernel/random/boot_id", OpenMode::read);
  if (!file) return {};
  char text[36];
  auto size = (*file)->read_at(0, text, sizeof text);
  return size ? std::string(text, *size) : std::string();
}

std::uint64_t RealSharedMemory::directory_id(const std::string& directory) {
  struct stat about;
  if (::stat(directory.c_str(), &about) != 0) return 0;
  return static_cast<std::uint64_t>(about.st_ino) * 0x9e3779b97f4a7c15ull + about.st_dev;
}

std::string RealSharedMemory::directory_path(const std::string& directory) {
  std::error_code error;
  std::string path = std::filesystem::canonical(directory, error).string();
  return error ? std::string() : path;
}

bool RealSharedMemory::is_gone(const std::string& directory_path) {
  struct stat about;
  return ::stat(directory_path.c_str(), &about) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

}  // namespace slotcar::runtime
