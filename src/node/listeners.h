// Listeners: the listening sockets. Each is on the loop of one worker, and only that worker's
// thread may close it. `CONFIG SET port` and `bind` change them while the node runs, on the worker
// that runs the command.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "node/settings.h"
#include "runtime/network.h"
#include "session/worker.h"

namespace slotcar::node {

class Listeners {
 public:
  enum class Kind : std::uint8_t { plain, tls };
  // Called on the thread of the worker whose loop accepted.
  using Accept = std::function<void(session::Worker&, std::unique_ptr<runtime::Incoming>, Kind)>;
  void set_accept(Accept accept) { accept_ = std::move(accept); }

  // Opens and closes listeners as the settings say. New ones are opened on `here`, on its own
  // thread or before it runs, and only then old ones are closed: after an error nothing has
  // changed. Afterwards a closed one refuses connections, even if its own worker has yet to remove
  // it.
  Status apply(const StartSettings& start, session::Worker& here);
  // At shutdown, on that worker's thread.
  void close_on(const session::Worker& worker);

  bool empty() const;
  std::uint16_t port() const { return port_.load(std::memory_order_relaxed); }

 private:
  Status apply_beside(const StartSettings& start, session::Worker& here);
  struct Wanted {
    runtime::ListenAddress address;
    Kind kind = Kind::plain;
  };
  struct Open {
    runtime::ListenAddress address;
    Kind kind = Kind::plain;
    session::Worker* worker = nullptr;
    std::unique_ptr<runtime::Listener> listener;
  };
  std::vector<Wanted> wanted(const StartSettings& start) const;
  Open* find(const Wanted& wanted);
  static void close(Open open, const session::Worker& here);

  Accept accept_;
  mutable std::mutex mutex_;
  std::vector<Open> open_;
  std::atomic<std::uint16_t> port_{0};
};

}  // namespace slotcar::node
