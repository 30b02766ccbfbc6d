#include "node/open_files.h"

#include <sys/resource.h>

#include <algorithm>

#include "base/limits.h"

namespace slotcar::node {

std::int64_t raise_open_files(std::int64_t clients) {
  clients = std::min(clients, limits::kClientsMax);
  const rlim_t wanted = static_cast<rlim_t>(clients + kReservedFiles);
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024 - kReservedFiles;
  if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < wanted) {
    // Only root may raise the hard limit; otherwise use what it
    // allows.
    rlimit raised{wanted, std::max(wanted, limit.rlim_max)};
    if (::setrlimit(RLIMIT_NOFILE, &raised) != 0) {
      raised = {std::min(wanted, limit.rlim_max), limit.rlim_max};
      static_cast<void>(::setrlimit(RLIMIT_NOFILE, &raised));
    }
    ::getrlimit(RLIMIT_NOFILE, &limit);
  }
  if (limit.rlim_cur == RLIM_INFINITY) return clients;
  return std::min(static_cast<std::int64_t>(limit.rlim_cur) - kReservedFiles, limits::kClientsMax);
}

}  // namespace slotcar::node
