// EventQueue: lets a foreign event loop run the callbacks and coroutines of a client, by one file
// descriptor. The loop watches `fd` for reading and calls `run`:
//
//   EventQueue queue;
//   Client client({.uri = uri, .executor = queue.executor()});
//   poll({queue.fd(), POLLIN});   queue.run();
//
// Everything that the client resumes runs inside `run`, on the thread of the loop. The queue must
// outlive its clients.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

namespace slotcar::client {

class EventQueue {
 public:
  EventQueue();
  ~EventQueue();
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  int fd() const { return fd_; }
  // Runs what is queued now; how much that was. What it queues itself runs the next time. An
  // exception leaves `run`, and the rest stays queued.
  std::size_t run();
  std::function<void(std::function<void()>)> executor() {
    return [this](std::function<void()> work) { add(std::move(work)); };
  }
  void add(std::function<void()> work);

 private:
  int fd_;
  std::mutex mutex_;
  std::vector<std::function<void()>> queued_;
};

}  // namespace slotcar::client
