#include "node/process_facts.h"

#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <climits>
#include <cstdio>

namespace slotcar::node {
namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

std::string system_name() {
  utsname name{};
  if (::uname(&name) != 0) return "unknown";
  return std::string(name.sysname) + " " + name.release + " " + name.machine;
}

std::string executable_path() {
  char path[PATH_MAX];
  const auto size = ::readlink("/proc/self/exe", path, sizeof path);
  return size > 0 ? std::string(path, static_cast<std::size_t>(size)) : std::string();
}

std::int64_t process_id() {
  return ::getpid();
}

std::int64_t resident_bytes() {
  // These are the kernel's own numbers, not our files, so they are read directly.
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  long total = 0;
  long resident = 0;
  const int read = std::fscanf(file, "%ld %ld", &total, &resident);
  std::fclose(file);
  return read == 2 ? resident * ::sysconf(_SC_PAGESIZE) : 0;
}

std::int64_t system_memory_bytes() {
  return static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
}

console::InfoCpu cpu_times() {
  rusage own{};
  rusage children{};
  ::getrusage(RUSAGE_SELF, &own);
  ::getrusage(RUSAGE_CHILDREN, &children);
  return {seconds(own.ru_stime), seconds(own.ru_utime), seconds(children.ru_stime),
          seconds(children.ru_utime)};
}

std::string_view allocator_name() {
#ifdef SLOTCAR_MIMALLOC
  return "mimalloc";
#else
  return "libc";
#endif
}

}  // namespace slotcar::node
