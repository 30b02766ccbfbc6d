#include "slotcar/pending.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace slotcar::client::detail {
namespace {

// Waits in the kernel at once: an answer takes tens of microseconds, and a thread that spins takes
// the processor from the threads that could produce it (std::atomic::wait yields several times
// first). The answering thread calls the kernel only if the waiter sleeps.
class BlockedReceiver final : public Receiver {
 public:
  BlockedReceiver() : Receiver(true) {}
  void receive(Result<Reply>&& result) override {
    result_.emplace(std::move(result));
    // The waiter may be gone as soon as it sees `kDone`. What follows uses only the address.
    int* address = reinterpret_cast<int*>(&state_);
    if (state_.exchange(kDone, std::memory_order_acq_rel) == kAsleep) {
      (void)::syscall(SYS_futex, address, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    }
  }
  Result<Reply> wait() {
    int expected = kStarted;
    if (state_.compare_exchange_strong(expected, kAsleep, std::memory_order_acq_rel)) {
      while (state_.load(std::memory_order_acquire) == kAsleep) {
        (void)::syscall(SYS_futex, reinterpret_cast<int*>(&state_), FUTEX_WAIT_PRIVATE, kAsleep,
                        nullptr, nullptr, 0);
      }
    }
    return std::move(*result_);
  }

 private:
  static constexpr int kStarted = 0;
  static constexpr int kAsleep = 1;
  static constexpr int kDone = 2;
  std::optional<Result<Reply>> result_;
  std::atomic<int> state_{kStarted};
};

class IgnoringReceiver final : public Receiver {
 public:
  void receive(Result<Reply>&&) override {}
};

}  // namespace

void start_and_forget(Port& port, Request&& request, const CallOptions& options) noexcept {
  static IgnoringReceiver ignoring;  // it has no state; any number of calls share it
  port.start(std::move(request), options, ignoring);
}

Result<Reply> wait_for(Port& port, Request&& request, const CallOptions& options) {
  if (port.must_not_wait()) {
    return Error{Error::Kind::usage, Error::Ran::no,
                 "a blocking call on the I/O thread would wait for itself; use then or co_await"};
  }
  BlockedReceiver receiver;
  port.start(std::move(request), options, receiver);
  return receiver.wait();
}

}  // namespace slotcar::client::detail

namespace slotcar::client {

// Here, because a promise takes a compiler long.
std::future<Result<Reply>> Pending::future() && {
  std::promise<Result<Reply>> promise;
  std::future<Result<Reply>> result = promise.get_future();
  auto keep = [promise = std::move(promise)](Result<Reply> reply) mutable {
    promise.set_value(std::move(reply));
  };
  std::move(*this).then(std::move(keep));
  return result;
}

}  // namespace slotcar::client
