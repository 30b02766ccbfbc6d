#include "slotcar/pipeline.h"

namespace slotcar::client::detail {
namespace {

class BlockedBatch final : public BatchCollector {
 public:
  void wait() { done_->wait(0, std::memory_order_acquire); }

 private:
  void on_all() override {
    // The waiter may be gone as soon as it sees the flag.
    const std::shared_ptr<std::atomic<int>> done = done_;
    done->store(1, std::memory_order_release);
    done->notify_one();
  }
  std::shared_ptr<std::atomic<int>> done_ = std::make_shared<std::atomic<int>>(0);
};

class IgnoringReceiver final : public Receiver {
 public:
  void receive(Result<Reply>&&) override {}
};

}  // namespace

void BatchCollector::start(BatchPort& port, std::vector<Request>&& requests,
                           const CallOptions& options) {
  parts_ = std::vector<Part>(requests.size());
  std::vector<Receiver*> receivers;
  receivers.reserve(parts_.size());
  for (Part& part : parts_) {
    part.batch = this;
    receivers.push_back(&part);
  }
  // One more for this function: results may arrive, and this object may be destroyed, before the
  // port returns.
  left_.store(parts_.size() + 1, std::memory_order_relaxed);
  port.start_batch(std::move(requests), options, receivers);
  if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) on_all();
}

BatchResults BatchCollector::take() {
  BatchResults results;
  results.reserve(parts_.size());
  for (Part& part : parts_) results.push_back(std::move(*part.result));
  return results;
}

void BatchCollector::Part::receive(Result<Reply>&& r) {
  result.emplace(std::move(r));
  if (batch->left_.fetch_sub(1, std::memory_order_acq_rel) == 1) batch->on_all();
}

BatchResults wait_for_batch(BatchPort& port, std::vector<Request>&& requests,
                            const CallOptions& options) {
  if (port.must_not_wait()) {
    const Error error{
        Error::Kind::usage, Error::Ran::no,
        "a batch that is waited for on the I/O thread would wait for itself; use then "
        "or co_await"};
    return BatchResults(requests.size(), Result<Reply>(error));
  }
  BlockedBatch batch;
  batch.start(port, std::move(requests), options);
  batch.wait();
  return batch.take();
}

void start_batch_and_forget(BatchPort& port, std::vector<Request>&& requests,
                            const CallOptions& options) noexcept {
  static IgnoringReceiver ignoring;  // it has no state; any number of calls share it
  const std::vector<Receiver*> receivers(requests.size(), &ignoring);
  port.start_batch(std::move(requests), options, receivers);
}

}  // namespace slotcar::client::detail
