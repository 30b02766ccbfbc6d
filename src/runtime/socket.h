// Sockets as both real loops use them: opening listeners, setting options, naming ends.
// Nothing here waits, and nothing here belongs to a thread.
#pragma once

#include <netinet/in.h>
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "runtime/event_loop.h"
#include "runtime/file_descriptor.h"
#include "runtime/network.h"

namespace slotcar::runtime {

// The far end of a connection, small enough for tens of thousands of them.
struct PeerAddress {
  bool is_unix = false;
  bool is_ipv6 = false;
  std::uint16_t port = 0;
  in6_addr ip = {};  // an IPv4 address is in the first four bytes

  bool is_loopback() const;  // a Unix peer is always on this machine
  std::string text() const;  // "127.0.0.1:50412", "[::1]:50412"; not for Unix
};

PeerAddress peer_address(int fd);
// The near end: "127.0.0.1:6379", "/path:0".
std::string local_address(int fd);

// A socket that listens.
struct ListenSocket {
  FileDescriptor fd;  // none: an optional address that this machine does not have
  std::uint16_t port = 0;
  std::string unix_path;  // with the identity of the file made, so that only it is removed
  dev_t unix_device = 0;
  ino_t unix_inode = 0;

  void share_port(bool on) const;  // see Listener
  void refuse() const;             // likewise

  ListenSocket() = default;
  ListenSocket(ListenSocket&&) = default;
  ListenSocket& operator=(ListenSocket&&) = delete;
  ~ListenSocket() { remove_file(); }
  void remove_file();  // the Unix socket's, if it is still this one
};

Result<ListenSocket> open_listen_socket(const ListenAddress& address);

// Options of an accepted connection. Failures do not matter and are ignored.
void set_connection_options(int fd, const PeerAddress& peer, const SocketOptions& options);

// Acknowledges at once what was received. The kernel would wait for some 40 ms, in case there is
// something to send as well.
void acknowledge_now(int fd);

// What a failed accept means for the listener.
enum class AcceptFailure {
  none_waiting,   // all have been taken
  this_one_only,  // the connection broke before it was taken; the next may be fine
  no_resources,   // no descriptors or memory: try again after a while, not at once
};
AcceptFailure accept_failure(int error);

// How long a listener pauses after `no_resources`. Meanwhile the connection waits in the backlog.
inline constexpr Nanos kAcceptPause = 100 * kMillisecond;

// An accepted connection of either real loop.
class SocketIncoming final : public Incoming {
 public:
  SocketIncoming(FileDescriptor fd, const PeerAddress& peer) : fd_(std::move(fd)), peer_(peer) {}

  bool is_unix() const override { return peer_.is_unix; }
  bool peer_is_loopback() const override { return peer_.is_loopback(); }
  void refuse(std::string_view last_words) override;

  FileDescriptor take_fd() { return std::move(fd_); }
  const PeerAddress& peer() const { return peer_; }

 private:
  FileDescriptor fd_;
  PeerAddress peer_;
};

// Wraps an accepted descriptor: options set, far end named.
std::unique_ptr<SocketIncoming> make_incoming(FileDescriptor fd, const SocketOptions& options);

// Bytes that have arrived and were not received yet.
std::size_t unread_bytes(int fd);

}  // namespace slotcar::runtime
