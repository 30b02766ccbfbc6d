// The interface to the network: listeners. Connections arrive as file descriptors or simulated
// ends, wrapped so that any loop of the same network can adopt them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "runtime/stream.h"

namespace slotcar::runtime {

// A connection accepted and not yet given to a loop. May cross threads.
class Incoming {
 public:
  virtual ~Incoming() = default;
  virtual bool is_unix() const = 0;
  virtual bool peer_is_loopback() const = 0;
  // Sends a last message without waiting, best effort ("-ERR max number of clients reached"), then
  // the caller destroys it.
  virtual void refuse(std::string_view last_words) = 0;
};

struct ListenAddress {
  std::string host;        // "127.0.0.1", "::1", "*" (all IPv4), "-::1" (optional), "" with a path
  std::uint16_t port = 0;  // 0: any free port (tests); see `Listener::port`
  std::string unix_path;   // a Unix socket instead
  unsigned unix_permissions = 0;  // 0: as the umask says
  int backlog = 511;
  // May be opened although a listener has an overlapping address, if that one shares its port now.
  bool beside_others = false;
};

class Listener {
 public:
  virtual ~Listener() = default;
  virtual std::uint16_t port() const = 0;
  // While this is on, a listener with `beside_others` may be opened on the same port. This is how
  // to move from "*" to one of the addresses that "*" covers, or back, without a moment without a
  // listener. Any thread, as long as the listener lives.
  virtual void share_port(bool on) = 0;
  // From here on connections are refused, also those that were not accepted yet. The listener still
  // has to be destroyed on its own thread; this may be called on any, as long as it lives.
  virtual void refuse() = 0;
};

}  // namespace slotcar::runtime
