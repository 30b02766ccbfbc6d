// Outgoing TCP connections. The stream is usable at once: what is sent leaves when the connection
// stands, and a connection that fails ends as one that was closed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "runtime/event_loop.h"
#include "runtime/stream.h"

namespace slotcar::runtime {

// On the loop's own thread.
using Dial = std::function<Result<std::unique_ptr<Stream>>(EventLoop& loop, const std::string& host,
                                                           std::uint16_t port)>;

// A numeric address, or a name, for whose resolution the calling thread waits.
Result<std::unique_ptr<Stream>> dial_tcp(EventLoop& loop, const std::string& host,
                                         std::uint16_t port);

}  // namespace slotcar::runtime
