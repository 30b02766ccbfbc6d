#include "runtime/event_loop.h"

#include "runtime/epoll/epoll_loop.h"
#include "runtime/uring/uring_loop.h"

namespace slotcar::runtime {
namespace {

// What `automatic` means: epoll. For a bare PING both cost the server the same CPU: with 50
// connections at pipeline 1, 7.6 us a request either way (nine interleaved runs each, 7.1 to 8.8
// for epoll, 6.8 to 8.6 for io_uring); at pipeline 16 no difference either; with one connection
// epoll is a little ahead (10.0 against 10.6 us). With nothing to gain, the twin that works in
// every container and needs no buffers of its own is the default.
constexpr Backend kAutomatic = Backend::epoll;

}  // namespace

Result<std::unique_ptr<EventLoop>> make_event_loop(Backend backend, const SocketOptions& options,
                                                   Clock& clock, std::string* note) {
  if (backend == Backend::automatic) backend = kAutomatic;
  if (backend == Backend::uring) {
    auto uring = UringLoop::make(options, clock);
    if (uring) return std::unique_ptr<EventLoop>(std::move(*uring));
    if (note) *note = uring.error().message + "; epoll is used instead";
  }
  auto epoll = EpollLoop::make(options, clock);
  if (!epoll) return epoll.error();
  return std::unique_ptr<EventLoop>(std::move(*epoll));
}

}  // namespace slotcar::runtime
