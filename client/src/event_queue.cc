#include "slotcar/event_queue.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

#include "base/assert.h"

namespace slotcar::client {

EventQueue::EventQueue() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  ASSERT(fd_ >= 0);
}

EventQueue::~EventQueue() {
  ::close(fd_);
}

void EventQueue::add(std::function<void()> work) {
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    first = queued_.empty();
    queued_.push_back(std::move(work));
  }
  const std::uint64_t one = 1;
  if (first) (void)!::write(fd_, &one, sizeof one);
}

std::size_t EventQueue::run() {
  std::uint64_t ignored = 0;
  (void)!::read(fd_, &ignored, sizeof ignored);
  std::vector<std::function<void()>> now;
  {
    const std::lock_guard lock(mutex_);
    now.swap(queued_);
  }
  for (std::size_t i = 0; i < now.size(); ++i) {
    try {
      now[i]();
    } catch (...) {
      for (std::size_t rest = i + 1; rest < now.size(); ++rest) add(std::move(now[rest]));
      throw;
    }
  }
  return now.size();
}

}  // namespace slotcar::client
