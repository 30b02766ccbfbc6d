// A disk whose syncs hang or fail, for tests/system/disk_faults.py: loaded into a server by
// LD_PRELOAD. The file that SLOTCAR_DISK_FAULT names says what they do now: "hang" or "fail";
// without it they work.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace {

constexpr useconds_t kLookAgainUs = 5'000;

std::string_view fault(char (&word)[8]) {
  const char* const path = std::getenv("SLOTCAR_DISK_FAULT");
  const int fd = path == nullptr ? -1 : ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  const ssize_t size = ::read(fd, word, 4);
  ::close(fd);
  return {word, size < 0 ? 0 : static_cast<std::size_t>(size)};
}

int sync_with_faults(long call, int fd) {
  char word[8];
  while (fault(word) == "hang") ::usleep(kLookAgainUs);
  if (fault(word) == "fail") {
    errno = EIO;
    return -1;
  }
  return static_cast<int>(::syscall(call, fd));
}

}  // namespace

extern "C" int fdatasync(int fd) {
  return sync_with_faults(SYS_fdatasync, fd);
}

extern "C" int fsync(int fd) {
  return sync_with_faults(SYS_fsync, fd);
}
