// Stream: one connection as its owner sees it; the epoll, io_uring and simulated twins differ
// behind it. All calls come from the loop's own thread, and so do all events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/output.h"

namespace slotcar::runtime {

class StreamEvents {
 public:
  virtual ~StreamEvents() = default;
  // Bytes (or the end) can be received without waiting. Repeated each turn until received.
  virtual void on_input() = 0;
  // What was handed to `send` has left, or the peer takes more again.
  virtual void on_output_room() = 0;
  // The peer has gone or the connection broke; reported once, while input is off as well. The owner
  // then destroys the stream, now or later.
  virtual void on_closed() = 0;
};

class Stream {
 public:
  virtual ~Stream() = default;  // closes; no event comes after

  virtual void set_events(StreamEvents* events) = 0;

  struct Received {
    enum class Kind { bytes, none_yet, end } kind;
    std::size_t size = 0;
  };
  // Copies what has arrived. `end`: the peer closed or the connection failed.
  virtual Received receive(char* into, std::size_t room) = 0;

  // Sends from the front of `output` and consumes what was taken: at most `bytes_max` in this call.
  // What remains stays in `output`; `on_output_room` comes when more may be sent. False: broken.
  // (The io_uring twin moves blocks into its own in-flight list; to the owner it looks the same.)
  virtual bool send(Output& output, std::size_t bytes_max) = 0;

  // The owner waits for the rest of something, and has nothing to send meanwhile. So the peer gets
  // no acknowledgement with a reply, and may be waiting for one.
  virtual void expect_rest() {}

  // Back-pressure: with input off no on_input comes; a peer that leaves is still noticed.
  virtual void want_input(bool on) = 0;

  // While input is off: whether the peer's end is reported at once even if there are unread bytes
  // before it. For an owner that will not read them for a long time.
  virtual void want_end(bool on) = 0;

  // Bytes taken by `send` that the kernel has not yet acknowledged (io_uring); 0 for epoll.
  virtual std::size_t in_flight() const { return 0; }

  virtual int fd() const = 0;             // -1 in the simulator
  virtual std::string peer() const = 0;   // "127.0.0.1:50412", "[::1]:50412", "/path:0"
  virtual std::string local() const = 0;  // "127.0.0.1:6379"
  virtual bool is_unix() const = 0;
  virtual bool peer_is_loopback() const = 0;
};

}  // namespace slotcar::runtime
