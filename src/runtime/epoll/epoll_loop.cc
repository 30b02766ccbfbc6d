#include "runtime/epoll/epoll_loop.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/assert.h"
#include "runtime/epoll/epoll_stream.h"
#include "runtime/socket.h"
#include "runtime/system_error.h"

namespace slotcar::runtime {
namespace {

// The eventfd's key; no watch has generation 0.
constexpr std::uint64_t kWakeData = 0;

std::uint64_t to_data(WatchKey key) {
  return (static_cast<std::uint64_t>(key.generation) << 32) | key.place;
}

WatchKey from_data(std::uint64_t data) {
  return {static_cast<std::uint32_t>(data), static_cast<std::uint32_t>(data >> 32)};
}

// Rounded up: waking before the timer is due would waste a turn.
int to_milliseconds(Nanos wait) {
  if (wait <= 0) return static_cast<int>(wait);
  return static_cast<int>(std::min<Nanos>((wait + kMillisecond - 1) / kMillisecond, 60'000));
}

}  // namespace

Result<std::unique_ptr<EpollLoop>> EpollLoop::make(const SocketOptions& options, Clock& clock) {
  std::unique_ptr<EpollLoop> loop(new EpollLoop(options, clock));
  if (Status opened = loop->open(); !opened) return opened.error();
  return loop;
}

Status EpollLoop::open() {
  if (Status opened = open_wake_fd(); !opened) return opened;
  epoll_ = FileDescriptor(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll_) return system_error("cannot make an epoll set", errno);
  // Edge-triggered: every write to the eventfd is reported once, so it never has to be read.
  epoll_event event = {};
  event.events = EPOLLIN | EPOLLET;
  event.data.u64 = kWakeData;
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_fd(), &event) != 0) {
    return system_error("cannot watch an eventfd", errno);
  }
  return {};
}

void EpollLoop::run_once(bool may_wait) {
  const Nanos wait = prepare_wait(may_wait && own_events_.empty());
  int count = 0;
  if (wait != 0 && has_idle_task()) {
    count = wait_for_events(0);
    if (count == 0) run_idle_task();
  }
  if (count == 0) count = wait_for_events(wait);
  ASSERT(count >= 0 || errno == EINTR);
  begin_turn();
  for (int i = 0; i < count; ++i) dispatch(events_[i]);
  if (!own_events_.empty()) {
    for (const epoll_event& event : std::exchange(own_events_, {})) dispatch(event);
  }
  finish_turn();
}

// epoll_wait counts milliseconds; the log and the snapshots sleep for less. But the call that
// counts nanoseconds is not available everywhere (Linux 5.11; some sandboxes allow only older
// calls).
int EpollLoop::wait_for_events(Nanos wait) {
  if (exact_) {
    const timespec limit = {.tv_sec = wait / kSecond, .tv_nsec = wait % kSecond};
    const int count =
        ::epoll_pwait2(epoll_.get(), events_, kEventsMax, wait < 0 ? nullptr : &limit, nullptr);
    if (count >= 0 || (errno != ENOSYS && errno != EPERM)) return count;
    exact_ = false;
  }
  return ::epoll_wait(epoll_.get(), events_, kEventsMax, to_milliseconds(wait));
}

void EpollLoop::dispatch(const epoll_event& event) {
  if (event.data.u64 == kWakeData) return;
  if (EpollWatch* watch = find(from_data(event.data.u64))) watch->on_ready(event.events);
}

std::unique_ptr<Stream> EpollLoop::adopt(std::unique_ptr<Incoming> incoming) {
  // Every connection that a real loop's listener accepts is a SocketIncoming.
  return std::make_unique<EpollStream>(*this, static_cast<SocketIncoming&>(*incoming));
}

Result<std::unique_ptr<Listener>> EpollLoop::listen(
    const ListenAddress& address, std::function<void(std::unique_ptr<Incoming>)> accepted) {
  auto socket = open_listen_socket(address);
  if (!socket) return socket.error();
  auto listener = std::make_unique<EpollListener>(*this, std::move(*socket), std::move(accepted));
  if (!listener->watched()) return system_error("cannot watch a listener", errno);
  return std::unique_ptr<Listener>(std::move(listener));
}

bool EpollLoop::watch(EpollWatch& watch, int fd, std::uint32_t interest, WatchKey* key) {
  if (free_places_.empty()) {
    key->place = static_cast<std::uint32_t>(places_.size());
    places_.emplace_back();
  } else {
    key->place = free_places_.back();
    free_places_.pop_back();
  }
  Place& place = places_[key->place];
  place.watch = &watch;
  key->generation = place.generation;

  epoll_event event = {};
  event.events = interest;
  event.data.u64 = to_data(*key);
  return ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0;
}

void EpollLoop::change(WatchKey key, int fd, std::uint32_t interest) {
  epoll_event event = {};
  event.events = interest;
  event.data.u64 = to_data(key);
  (void)::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &event);
}

void EpollLoop::unwatch(WatchKey key) {
  Place& place = places_[key.place];
  ASSERT(place.generation == key.generation);
  place.watch = nullptr;
  if (++place.generation == 0) place.generation = 1;  // 0 is the eventfd's
  free_places_.push_back(key.place);
}

void EpollLoop::silence(int fd) {
  (void)::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
}

void EpollLoop::report_later(WatchKey key, std::uint32_t ready) {
  epoll_event event = {};
  event.events = ready;
  event.data.u64 = to_data(key);
  own_events_.push_back(event);
}

EpollWatch* EpollLoop::find(WatchKey key) const {
  if (key.place >= places_.size()) return nullptr;
  const Place& place = places_[key.place];
  return place.generation == key.generation ? place.watch : nullptr;
}

}  // namespace slotcar::runtime
