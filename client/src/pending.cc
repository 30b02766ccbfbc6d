#include "slotcar/pending.h"

#include <atomic>

namespace slotcar::client::detail {
namespace {

class BlockedReceiver final : public Receiver {
 public:
  void receive(Result<Reply>&& result) override {
    result_.emplace(std::move(result));
    // The waiter may be gone the moment it sees `done_`. What follows touches only the address.
    done_.store(1, std::memory_order_release);
    done_.notify_one();
  }
  Result<Reply> wait() {
    done_.wait(0, std::memory_order_acquire);
    return std::move(*result_);
  }

 private:
  std::optional<Result<Reply>> result_;
  std::atomic<int> done_{0};
};

}  // namespace

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
