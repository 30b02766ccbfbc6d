// A program with an event loop of its own: poll(2) watches a timer and the client's queue, and
// every callback and coroutine runs on the loop's thread. Any loop that can watch a file descriptor
// will do.
#include <poll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>

#include "slotcar/slotcar.h"

using namespace slotcar::client;

namespace {

class Loop {
 public:
  explicit Loop(EventQueue& queue) : queue_(queue) {
    const itimerspec every_ms = {.it_interval = {.tv_sec = 0, .tv_nsec = 1'000'000},
                                 .it_value = {.tv_sec = 0, .tv_nsec = 1'000'000}};
    ::timerfd_settime(timer_, 0, &every_ms, nullptr);
  }
  ~Loop() { ::close(timer_); }

  void run() {
    while (!ended_) {
      pollfd watched[] = {{timer_, POLLIN, 0}, {queue_.fd(), POLLIN, 0}};
      ::poll(watched, 2, -1);
      std::uint64_t times = 0;
      if (watched[0].revents != 0 && ::read(timer_, &times, sizeof times) > 0) ticks_ += times;
      if (watched[1].revents != 0) queue_.run();
    }
  }
  void end() { ended_ = true; }
  std::uint64_t ticks() const { return ticks_; }

 private:
  EventQueue& queue_;
  int timer_ = ::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  std::uint64_t ticks_ = 0;  // touched by one thread only: no lock, no atomic
  bool ended_ = false;
};

// A coroutine without an owner, as the loop would have its own type.
struct Started {
  struct promise_type {
    Started get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

Started count_to(AsyncRedis redis, Loop& loop, std::int64_t last, bool& good) {
  for (;;) {
    auto count = co_await redis.incr("example:loop");
    if (!count || *count >= last) {
      good = count.ok();
      break;
    }
  }
  (void)co_await redis.del("example:loop");
  loop.end();
}

}  // namespace

int main(int argc, char** argv) {
  EventQueue queue;
  Client client(
      {.uri = argc > 1 ? argv[1] : "redis://127.0.0.1:6379", .executor = queue.executor()});
  Loop loop(queue);
  bool good = false;
  count_to(AsyncRedis(client), loop, 1'000, good);
  loop.run();
  std::printf("counted to 1000 during %llu ticks\n", static_cast<unsigned long long>(loop.ticks()));
  return good ? 0 : 1;
}
