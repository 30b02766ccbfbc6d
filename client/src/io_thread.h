// IoThread: one event loop on one thread, and its connections. Everything that
// touches a connection happens on its thread; other threads post.
//
// One flush per turn: calls that threads submit while a turn runs leave together, in one write per
// connection, at its end. That is how automatic pipelining works.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <thread>
#include <vector>

#include "runtime/event_loop.h"
#include "runtime/random.h"
#include "runtime/real/real_clock.h"
#include "slotcar/error.h"

namespace slotcar::client {

class Connection;
using runtime::Nanos;

class IoThread {
 public:
  static Result<std::unique_ptr<IoThread>> start(std::uint64_t seed);
  ~IoThread();

  // Any thread.
  void post_task(runtime::Task& task) { loop_->post(task); }
  template <class F>
  void post(F function) {
    loop_->post(runtime::make_task(std::move(function)));
  }
  // Posts and waits until it has run. Not from the thread itself. At once if it has ended.
  void run_and_wait(const std::function<void()>& function);
  bool is_current() const { return std::this_thread::get_id() == id_; }
  Nanos clock_now() const { return clock_.monotonic(); }
  void stop();  // and joins

  // The rest on the thread itself.
  runtime::EventLoop& loop() { return *loop_; }
  Nanos now() const { return loop_->turn_monotonic(); }
  void add(Connection& connection) { connections_.push_back(&connection); }
  void remove(Connection& connection);
  const std::vector<Connection*>& connections() const { return connections_; }
  void mark_changed(Connection& connection) { changed_.push_back(&connection); }
  // Runs `function` after `delay`; dropped if the thread stops before.
  void after(Nanos delay, std::function<void()> function);
  std::uint64_t random(std::uint64_t bound) { return random_.below(bound); }
  // Where sockets are read into, one after the other.
  static constexpr std::size_t kBufferBytes = 64 * 1024;
  char* buffer() { return buffer_.get(); }

 private:
  struct Delayed;
  explicit IoThread(std::uint64_t seed);
  void end_of_turn();

  runtime::RealClock clock_;
  runtime::FastRandom random_;
  std::unique_ptr<char[]> buffer_;
  std::vector<Connection*> connections_;
  std::vector<Connection*> changed_;
  std::unique_ptr<runtime::EventLoop> loop_;
  std::list<std::unique_ptr<Delayed>> delayed_;
  std::thread thread_;
  std::thread::id id_;  // of the thread, readable while another one joins it
};

}  // namespace slotcar::client
