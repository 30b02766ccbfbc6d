// Peers: connections to other servers, on a thread of their own, so that neither a worker nor a
// slow thread ever waits for a network. The thread is started by the first exchange; a server that
// moves no keys has none.
//
// A connection serves one exchange at a time and is kept for the next one to the same host and port
// by the same user, for some seconds. If all are in use, an exchange waits until one is free; that
// counts as waiting for the connection. A kept connection may have been closed by the target at any
// moment: an exchange that has heard nothing on one is sent once more, on a new one, as Redis does.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/result.h"
#include "peers/exchange.h"
#include "runtime/dial.h"
#include "runtime/event_loop.h"
#include "runtime/executor.h"

namespace slotcar::peers {

class Peers {
 public:
  struct World {
    runtime::Executor* executor = nullptr;
    std::function<Result<std::unique_ptr<runtime::EventLoop>>()> make_loop;
    runtime::Dial dial;  // empty: nothing can be reached
  };
  explicit Peers(World world);
  ~Peers();

  // Any thread. `done` follows, perhaps before this returns. The target and the exchange stay where
  // they are until then.
  void start(Exchange& exchange);
  // Ends the thread. Exchanges under way fail, and later ones do at once.
  void stop();
  // Any thread: connections, in use or kept.
  std::size_t connections() const { return count_.load(std::memory_order_relaxed); }

 private:
  class Connection;
  friend class Connection;
  struct Waiting;

  bool is_running();  // starts the thread
  // --- on the thread
  void begin(Exchange& exchange);
  void connect(Exchange& exchange, bool is_second_try);
  Connection* find_kept(const Target& target);
  bool make_room();
  void close(Connection& connection);
  void end(Exchange& exchange, ExchangeEnd end);
  void serve_waiting();
  void fail_all();

  World world_;
  std::mutex mutex_;  // guards what follows, until the thread runs
  std::unique_ptr<runtime::EventLoop> loop_;
  bool stopped_ = false;

  std::vector<std::unique_ptr<Connection>> connections_;
  // Closed ones, until the events that closed them are through.
  std::vector<std::unique_ptr<Connection>> closed_;
  std::deque<std::unique_ptr<Waiting>> waiting_;
  bool failing_ = false;
  std::atomic<std::size_t> count_{0};
};

}  // namespace slotcar::peers
