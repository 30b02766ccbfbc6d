#include "node/supervisor.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>

#include "runtime/file_descriptor.h"
#include "runtime/system_error.h"

namespace slotcar::node {

namespace {

constexpr const char* kVariable = "NOTIFY_SOCKET";

}  // namespace

bool has_supervisor() {
  return std::getenv(kVariable) != nullptr;
}

Status notify_supervisor(std::string_view lines) {
  const char* name = std::getenv(kVariable);
  if (name == nullptr) return Error{"there is no NOTIFY_SOCKET"};
  const std::string_view path = name;
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const bool fits = path.size() > 1 && path.size() < sizeof address.sun_path;
  if (!fits || (path[0] != '/' && path[0] != '@')) return Error{"NOTIFY_SOCKET names no socket"};
  std::memcpy(address.sun_path, path.data(), path.size());
  if (path[0] == '@') address.sun_path[0] = '\0';  // the abstract name space
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
  const runtime::FileDescriptor fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!fd) return runtime::system_error("cannot make a socket", errno);
  const ssize_t sent = ::sendto(fd.get(), lines.data(), lines.size(), MSG_NOSIGNAL,
                                reinterpret_cast<const sockaddr*>(&address), size);
  if (sent < 0) return runtime::system_error("cannot tell " + std::string(path), errno);
  return {};
}

}  // namespace slotcar::node
