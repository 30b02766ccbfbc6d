#include "io_thread.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>

#include "connection.h"
#include "runtime/epoll/epoll_loop.h"

namespace slotcar::client {

struct IoThread::Delayed : runtime::Timer {
  Delayed(IoThread& t, std::function<void()> f)
      : Timer(&Delayed::fire), thread(t), function(std::move(f)) {}
  static void fire(runtime::Timer& timer) {
    auto& self = static_cast<Delayed&>(timer);
    const std::function<void()> function = std::move(self.function);
    self.thread.delayed_.erase(self.place);  // ends `self`
    function();
  }
  IoThread& thread;
  std::function<void()> function;
  std::list<std::unique_ptr<Delayed>>::iterator place;
};

IoThread::IoThread(std::uint64_t seed)
    : random_(seed), buffer_(std::make_unique<char[]>(kBufferBytes)) {}

Result<std::unique_ptr<IoThread>> IoThread::start(std::uint64_t seed) {
  std::unique_ptr<IoThread> thread(new IoThread(seed));
  auto loop = runtime::EpollLoop::make({}, thread->clock_);
  if (!loop) return Error{Error::Kind::connection, Error::Ran::no, loop.error().message};
  thread->loop_ = std::move(*loop);
  thread->loop_->set_turn_end([self = thread.get()] { self->end_of_turn(); });
  // Signals are left to the program's own threads.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  thread->thread_ = std::thread([self = thread.get()] { self->loop_->run(); });
  thread->id_ = thread->thread_.get_id();
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ::pthread_setname_np(thread->thread_.native_handle(), "slotcar-io");
  return thread;
}

IoThread::~IoThread() {
  stop();
}

void IoThread::stop() {
  if (!thread_.joinable()) return;
  loop_->stop();
  thread_.join();
  delayed_.clear();
}

void IoThread::run_and_wait(const std::function<void()>& function) {
  if (!thread_.joinable()) return function();
  std::atomic<int> done{0};
  post([&] {
    function();
    // The waiter may be gone as soon as it sees `done`; what follows uses only the address.
    done.store(1, std::memory_order_release);
    done.notify_one();
  });
  done.wait(0, std::memory_order_acquire);
}

void IoThread::remove(Connection& connection) {
  std::erase(connections_, &connection);
  std::erase(changed_, &connection);
}

void IoThread::after(Nanos delay, std::function<void()> function) {
  delayed_.push_back(std::make_unique<Delayed>(*this, std::move(function)));
  delayed_.back()->place = std::prev(delayed_.end());
  loop_->arm(*delayed_.back(), now() + delay);
}

void IoThread::end_of_turn() {
  // A flush may change other connections (a call that is rerouted); they are flushed in the same
  // turn.
  while (!changed_.empty()) {
    Connection* connection = changed_.back();
    changed_.pop_back();
    connection->flush();
  }
}

}  // namespace slotcar::client
