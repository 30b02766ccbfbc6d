// OutputGuard: bounds an output while a call fills it. It stops a reply at its connection's
// limit, when its client is gone, or when the server shuts down. Each connection has one. It
// guards the output of the running call, and the outputs in which such a call collects parts of
// its reply.
//
// The thread that fills an output reports growth (`grow`) and asks whether to continue (`cuts`).
// The connection's own thread calls begin, end and stop. Any thread may read the size.
//
// The reply of a call that changed something is finished all the same, and delivered if that can be
// done: a client that is killed still gets the element that was popped for it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace slotcar::runtime {

class OutputGuard {
 public:
  OutputGuard() = default;
  OutputGuard(const OutputGuard&) = delete;
  OutputGuard& operator=(const OutputGuard&) = delete;
  ~OutputGuard() { end(); }

  // `sum` counts what all guarded outputs hold. Null: not counted.
  void count_in(std::atomic<std::int64_t>* sum) { sum_ = sum; }

  // --- the connection's thread A call begins to answer and may write `bytes_max`.
  // `ends_with_client`: nothing is lost if no client reads the reply, so it need not be
  // finished.
  void begin(std::size_t bytes_max, bool ends_with_client) {
    bytes_max_.store(bytes_max, std::memory_order_relaxed);
    ends_with_client_.store(ends_with_client, std::memory_order_relaxed);
  }
  // The reply was taken over, or given up: from here on it is counted elsewhere.
  void end() {
    const std::size_t bytes = bytes_.exchange(0, std::memory_order_relaxed);
    if (sum_ != nullptr && bytes != 0) {
      sum_->fetch_sub(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
    }
  }
  // No client will read more than that of the reply: one that need not be finished ends there.
  void stop_beyond(std::size_t bytes) { read_max_.store(bytes, std::memory_order_relaxed); }
  void stop() { stop_beyond(0); }
  // The reply was too long, but no client was to get it (CLIENT REPLY OFF).
  void forgive() {
    overflowed_.store(false, std::memory_order_relaxed);
    cut_.store(false, std::memory_order_relaxed);
  }

  // --- the thread that fills the output
  void grow(std::size_t bytes) {
    const std::size_t all = bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    if (sum_ != nullptr)
      sum_->fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
    if (all > bytes_max_.load(std::memory_order_relaxed)) {
      overflowed_.store(true, std::memory_order_relaxed);
    }
  }
  // No client will get more of the reply: it ends here, half written.
  bool cuts() {
    const bool stops = bytes() >= read_max_.load(std::memory_order_relaxed) &&
                       ends_with_client_.load(std::memory_order_relaxed);
    if (!stops && !overflowed()) return false;
    cut_.store(true, std::memory_order_relaxed);
    return true;
  }

  // --- any thread
  // The reply written so far is incomplete.
  bool is_cut() const { return cut_.load(std::memory_order_relaxed) || overflowed(); }
  bool overflowed() const { return overflowed_.load(std::memory_order_relaxed); }
  std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::size_t> bytes_max_{SIZE_MAX};
  std::atomic<std::size_t> bytes_{0};
  std::atomic<bool> ends_with_client_{true};
  std::atomic<std::size_t> read_max_{SIZE_MAX};
  std::atomic<bool> overflowed_{false};
  std::atomic<bool> cut_{false};
  std::atomic<std::int64_t>* sum_ = nullptr;
};

}  // namespace slotcar::runtime
