#include "runtime/socket.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/system_error.h"

namespace slotcar::runtime {
namespace {

void set_flag(int fd, int level, int option, int value) {
  (void)::setsockopt(fd, level, option, &value, sizeof value);
}

std::string ip_text(int family, const void* ip, std::uint16_t port) {
  char text[INET6_ADDRSTRLEN] = "?";
  ::inet_ntop(family, ip, text, sizeof text);
  return family == AF_INET6 ? fmt::format("[{}]:{}", text, port) : fmt::format("{}:{}", text, port);
}

// The address families and addresses that a machine may lack; for an optional address no error.
bool address_is_absent(int error) {
  return error == EADDRNOTAVAIL || error == EAFNOSUPPORT || error == EPROTONOSUPPORT ||
         error == ESOCKTNOSUPPORT || error == ENOPROTOOPT || error == EPFNOSUPPORT;
}

struct BindAddress {
  sockaddr_storage storage = {};
  socklen_t size = 0;
  int family = AF_UNSPEC;
};

// "*" and "0.0.0.0" are all of IPv4, "::*" and "::" all of IPv6. Names are not resolved: a resolver
// may block, and an address that changes while the server runs is no use.
Result<BindAddress> parse_ip(const std::string& host, std::uint16_t port) {
  BindAddress result;
  auto* v4 = reinterpret_cast<sockaddr_in*>(&result.storage);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&result.storage);
  if (host == "*" || ::inet_pton(AF_INET, host.c_str(), &v4->sin_addr) == 1) {
    if (host == "*") v4->sin_addr.s_addr = htonl(INADDR_ANY);
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    result.size = sizeof *v4;
    result.family = AF_INET;
    return result;
  }
  if (host == "::*" || ::inet_pton(AF_INET6, host.c_str(), &v6->sin6_addr) == 1) {
    if (host == "::*") v6->sin6_addr = in6addr_any;
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    result.size = sizeof *v6;
    result.family = AF_INET6;
    return result;
  }
  if (host == "localhost") return parse_ip("127.0.0.1", port);
  return Error{"'" + host + "' is not an IP address"};
}

std::uint16_t bound_port(int fd) {
  sockaddr_storage storage = {};
  socklen_t size = sizeof storage;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return 0;
  if (storage.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6*>(&storage)->sin6_port);
  }
  return ntohs(reinterpret_cast<const sockaddr_in*>(&storage)->sin_port);
}

Result<ListenSocket> open_ip(const ListenAddress& address) {
  const bool optional = address.host.starts_with('-');
  const std::string host = optional ? address.host.substr(1) : address.host;
  auto parsed = parse_ip(host, address.port);
  if (!parsed) return parsed.error();

  const std::string what = fmt::format("cannot listen on {}:{}", host, address.port);
  ListenSocket result;
  const auto failed = [&](int error) -> Result<ListenSocket> {
    if (optional && address_is_absent(error)) return ListenSocket();
    return system_error(what, error);
  };
  result.fd = FileDescriptor(
      ::socket(parsed->family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP));
  if (!result.fd) return failed(errno);
  const int fd = result.fd.get();
  // "*" and "::*" are usually both listened on; without this the second would collide.
  if (parsed->family == AF_INET6) set_flag(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1);
  set_flag(fd, SOL_SOCKET, SO_REUSEADDR, 1);
  if (address.beside_others) set_flag(fd, SOL_SOCKET, SO_REUSEPORT, 1);
  if (::bind(fd, reinterpret_cast<sockaddr*>(&parsed->storage), parsed->size) != 0) {
    return failed(errno);
  }
  if (::listen(fd, address.backlog) != 0) return failed(errno);
  // Only for that moment: otherwise a second server on the same port would start without an error,
  // and each would get some of the clients.
  result.port = bound_port(fd);
  result.share_port(false);
  return result;
}

// Removes only what an earlier process left: a file that is not a socket is not ours.
Status remove_stale_socket(const std::string& path, const std::string& what) {
  struct stat info = {};
  if (::lstat(path.c_str(), &info) != 0) {
    return errno == ENOENT ? Status() : Status(system_error(what, errno));
  }
  if (!S_ISSOCK(info.st_mode)) return Error{what + ": a file that is not a socket is in the way"};
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return system_error(what, errno);
  return {};
}

Result<ListenSocket> open_unix(const ListenAddress& address) {
  const std::string& path = address.unix_path;
  const std::string what = "cannot listen on " + path;
  sockaddr_un name = {};
  name.sun_family = AF_UNIX;
  if (path.size() >= sizeof name.sun_path) {
    return Error{fmt::format("{}: longer than {} bytes", what, sizeof name.sun_path - 1)};
  }
  std::memcpy(name.sun_path, path.data(), path.size());
  if (Status removed = remove_stale_socket(path, what); !removed) return removed.error();

  ListenSocket result;
  result.fd = FileDescriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!result.fd) return system_error(what, errno);
  const int fd = result.fd.get();
  // The file that bind makes gets the socket's own mode less the umask, so it is never wider than
  // asked; chmod adds what the umask took, before any client can connect. (Changing the umask
  // instead would change it for every thread.)
  const mode_t mode = address.unix_permissions & 0777;
  if (mode != 0 && ::fchmod(fd, mode) != 0) return system_error(what, errno);
  if (::bind(fd, reinterpret_cast<sockaddr*>(&name), sizeof name) != 0) {
    return system_error(what, errno);
  }
  struct stat info = {};
  if (::lstat(path.c_str(), &info) == 0) {
    result.unix_path = path;
    result.unix_device = info.st_dev;
    result.unix_inode = info.st_ino;
  }
  if (mode != 0 && ::chmod(path.c_str(), mode) != 0) return system_error(what, errno);
  if (::listen(fd, address.backlog) != 0) return system_error(what, errno);
  return result;
}

}  // namespace

bool PeerAddress::is_loopback() const {
  if (is_unix) return true;
  if (!is_ipv6) return ip.s6_addr[0] == 127;
  if (IN6_IS_ADDR_V4MAPPED(&ip)) return ip.s6_addr[12] == 127;
  return IN6_IS_ADDR_LOOPBACK(&ip);
}

std::string PeerAddress::text() const {
  return ip_text(is_ipv6 ? AF_INET6 : AF_INET, &ip, port);
}

PeerAddress peer_address(int fd) {
  PeerAddress peer;
  sockaddr_storage storage = {};
  socklen_t size = sizeof storage;
  if (::getpeername(fd, reinterpret_cast<sockaddr*>(&storage), &size) != 0) {
    // The peer is gone already. The local end still shows the address family; an unknown address is
    // 0.0.0.0, which does not count as loopback.
    size = sizeof storage;
    (void)::getsockname(fd, reinterpret_cast<sockaddr*>(&storage), &size);
    peer.is_unix = storage.ss_family == AF_UNIX;
    return peer;
  }
  if (storage.ss_family == AF_UNIX) {
    peer.is_unix = true;
  } else if (storage.ss_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(storage);
    peer.is_ipv6 = true;
    peer.ip = v6.sin6_addr;
    peer.port = ntohs(v6.sin6_port);
  } else {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(storage);
    std::memcpy(&peer.ip, &v4.sin_addr, sizeof v4.sin_addr);
    peer.port = ntohs(v4.sin_port);
  }
  return peer;
}

std::string local_address(int fd) {
  sockaddr_storage storage = {};
  socklen_t size = sizeof storage;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return "?:0";
  if (storage.ss_family == AF_UNIX) {
    const auto& name = reinterpret_cast<const sockaddr_un&>(storage);
    const std::size_t path_size = ::strnlen(name.sun_path, sizeof name.sun_path);
    return std::string(name.sun_path, path_size) + ":0";
  }
  if (storage.ss_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(storage);
    return ip_text(AF_INET6, &v6.sin6_addr, ntohs(v6.sin6_port));
  }
  const auto& v4 = reinterpret_cast<const sockaddr_in&>(storage);
  return ip_text(AF_INET, &v4.sin_addr, ntohs(v4.sin_port));
}

void ListenSocket::share_port(bool on) const {
  if (fd && port != 0) set_flag(fd.get(), SOL_SOCKET, SO_REUSEPORT, on ? 1 : 0);
}

// A listening socket that is shut down stops listening; close() by another thread would not be
// safe.
void ListenSocket::refuse() const {
  if (fd) ::shutdown(fd.get(), SHUT_RDWR);
}

void ListenSocket::remove_file() {
  if (unix_path.empty()) return;
  struct stat info = {};
  if (::lstat(unix_path.c_str(), &info) == 0 && info.st_dev == unix_device &&
      info.st_ino == unix_inode) {
    ::unlink(unix_path.c_str());
  }
  unix_path.clear();
}

Result<ListenSocket> open_listen_socket(const ListenAddress& address) {
  return address.unix_path.empty() ? open_ip(address) : open_unix(address);
}

void set_connection_options(int fd, const PeerAddress& peer, const SocketOptions& options) {
  if (peer.is_unix) return;
  // Replies are flushed once a turn; holding the last segment back would only add a round trip.
  set_flag(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  const int interval = options.keepalive_seconds;
  if (interval <= 0) return;
  set_flag(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
  // A dead peer is noticed after about twice the interval: idle once, then three probes.
  set_flag(fd, IPPROTO_TCP, TCP_KEEPIDLE, interval);
  set_flag(fd, IPPROTO_TCP, TCP_KEEPINTVL, std::max(1, interval / 3));
  set_flag(fd, IPPROTO_TCP, TCP_KEEPCNT, 3);
}

void acknowledge_now(int fd) {
  set_flag(fd, IPPROTO_TCP, TCP_QUICKACK, 1);
}

AcceptFailure accept_failure(int error) {
  switch (error) {
    case EAGAIN:
      return AcceptFailure::none_waiting;
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
      return AcceptFailure::no_resources;
    default:
      return AcceptFailure::this_one_only;
  }
}

void SocketIncoming::refuse(std::string_view last_words) {
  (void)::send(fd_.get(), last_words.data(), last_words.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

std::unique_ptr<SocketIncoming> make_incoming(FileDescriptor fd, const SocketOptions& options) {
  const PeerAddress peer = peer_address(fd.get());
  set_connection_options(fd.get(), peer, options);
  return std::make_unique<SocketIncoming>(std::move(fd), peer);
}

std::size_t unread_bytes(int fd) {
  int bytes = 0;
  return ::ioctl(fd, FIONREAD, &bytes) == 0 && bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

}  // namespace slotcar::runtime
