// EpollLoop: the loop over epoll, level-triggered.
//
// Registration is lazy: the event mask changes only when epoll would otherwise report, again and
// again, something that no stream wants. So turning input off and on again between two requests
// costs nothing, and EPOLLOUT is asked for only while a socket is full.
//
// Lifetime: an event of a stream may destroy that stream or any other one whose event comes later
// in the same batch. Epoll is therefore given an index and a generation, never a pointer; an event
// with an old generation is ignored.
#pragma once

#include <sys/epoll.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/real/real_loop.h"

namespace slotcar::runtime {

// Something in the epoll set: a stream or a listener.
class EpollWatch {
 public:
  virtual ~EpollWatch() = default;
  // May destroy this object.
  virtual void on_ready(std::uint32_t ready) = 0;
};

// Names a watch for as long as it is in the set.
struct WatchKey {
  std::uint32_t place = 0;
  std::uint32_t generation = 0;
};

class EpollLoop final : public RealLoop {
 public:
  static Result<std::unique_ptr<EpollLoop>> make(const SocketOptions& options, Clock& clock);

  void run_once(bool may_wait) override;
  std::unique_ptr<Stream> adopt(std::unique_ptr<Incoming> incoming) override;
  Result<std::unique_ptr<Listener>> listen(
      const ListenAddress& address,
      std::function<void(std::unique_ptr<Incoming>)> accepted) override;
  const char* backend() const override { return "epoll"; }

  // For streams and listeners. False: the kernel refused (no memory, the user's limit of watches).
  [[nodiscard]] bool watch(EpollWatch& watch, int fd, std::uint32_t interest, WatchKey* key);
  void change(WatchKey key, int fd, std::uint32_t interest);
  // Removes the watch; closing the descriptor takes it out of epoll.
  void unwatch(WatchKey key);
  // Takes the descriptor out of epoll and keeps the watch: for a descriptor that would report the
  // same failure for ever.
  void silence(int fd);
  // Reports to the watch in the next turn what epoll cannot report.
  void report_later(WatchKey key, std::uint32_t ready);
  // Null if the watch is gone.
  EpollWatch* find(WatchKey key) const;

 private:
  struct Place {
    EpollWatch* watch = nullptr;
    std::uint32_t generation = 1;
  };

  EpollLoop(const SocketOptions& options, Clock& clock) : RealLoop(options, clock) {}
  Status open();
  int wait_for_events(Nanos wait);
  void dispatch(const epoll_event& event);

  static constexpr int kEventsMax = 256;

  FileDescriptor epoll_;
  bool exact_ = true;  // the kernel can wait for less than a millisecond
  std::vector<Place> places_;
  std::vector<std::uint32_t> free_places_;
  std::vector<epoll_event> own_events_;
  epoll_event events_[kEventsMax];
};

}  // namespace slotcar::runtime
