#include "runtime/dial.h"

#include <netdb.h>
#include <sys/socket.h>

#include <cerrno>
#include <string>
#include <utility>

#include "runtime/file_descriptor.h"
#include "runtime/socket.h"
#include "runtime/system_error.h"

namespace slotcar::runtime {

Result<std::unique_ptr<Stream>> dial_tcp(EventLoop& loop, const std::string& host,
                                         std::uint16_t port) {
  addrinfo wanted = {};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  const int failed = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &list);
  if (failed != 0) return Error{"the host is not known: " + std::string(::gai_strerror(failed))};
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(list, &::freeaddrinfo);
  Error last{"the host has no address"};
  for (const addrinfo* one = list; one != nullptr; one = one->ai_next) {
    FileDescriptor fd(
        ::socket(one->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP));
    if (!fd) {
      last = system_error("no socket", errno);
      continue;
    }
    if (::connect(fd.get(), one->ai_addr, one->ai_addrlen) != 0 && errno != EINPROGRESS) {
      last = system_error("cannot connect", errno);
      continue;
    }
    return loop.adopt(make_incoming(std::move(fd), SocketOptions{}));
  }
  return last;
}

}  // namespace slotcar::runtime
