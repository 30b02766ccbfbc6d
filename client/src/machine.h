// Machine: the protocol of one connection, without the connection. Bytes and events go in; bytes to
// send, ended calls and requests to disconnect come out. No sockets, no clocks, no threads: every
// call gets the time. Tests drive machines as tables; Connection drives them with a socket.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "runtime/clock.h"
#include "runtime/output.h"
#include "slotcar/error.h"

namespace slotcar::client {

using runtime::Nanos;

class Machine {
 public:
  virtual ~Machine() = default;

  // A new connection is established: the handshake is sent.
  virtual void connected(Nanos now) = 0;
  virtual void received(std::string_view bytes, Nanos now) = 0;
  // This many bytes were sent from the front of `output`.
  virtual void sent(std::size_t bytes) = 0;
  // The connection is gone, or could not be made.
  virtual void disconnected(const Error& why, Nanos now) = 0;
  // Time has passed; at `next_due` at the latest.
  virtual void tick(Nanos now) = 0;
  virtual Nanos next_due() const = 0;

  // The handshake is done.
  virtual bool ready() const = 0;
  // No answer is pending.
  virtual bool idle() const { return false; }
  // Why the machine wants the connection closed, if it does. Checked after every event.
  virtual const std::optional<Error>& failure() const = 0;

  runtime::Output output;
};

}  // namespace slotcar::client
