#include "session/discarded.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "base/reclaimer.h"

namespace slotcar::session {

namespace {

class Discarded : public base::Garbage {
 public:
  explicit Discarded(Worker& worker) : Garbage(0), worker_(worker) {}
  ~Discarded() override { count(0); }

 protected:
  // So much is left.
  void count(std::size_t bytes) {
    const auto now = static_cast<std::int64_t>(bytes);
    worker_.services().counters->reply_memory.fetch_add(now - counted_, std::memory_order_relaxed);
    counted_ = now;
  }

  Worker& worker_;

 private:
  std::int64_t counted_ = 0;
};

class DiscardedOutput final : public Discarded {
 public:
  DiscardedOutput(runtime::Output&& output, Worker& worker)
      : Discarded(worker), output_(std::move(output)) {
    output_.set_guard(nullptr);
    count(output_.footprint());
  }

  bool free_some() override {
    output_.consume(std::min(output_.size(), limits::kFreedOutputBytesPerSlice));
    count(output_.footprint());
    return output_.empty();
  }

 private:
  runtime::Output output_;
};

// A command of a million arguments.
class LongCall final : public base::Garbage {
 public:
  explicit LongCall(std::unique_ptr<shard::Call> call) : Garbage(0), call_(std::move(call)) {}
  bool free_some() override {
    call_.reset();
    return true;
  }

 private:
  std::unique_ptr<shard::Call> call_;
};

class DiscardedQueue final : public Discarded {
 public:
  using Queue = std::vector<std::unique_ptr<shard::Call>>;
  DiscardedQueue(Queue&& queue, std::size_t bytes, Worker& worker)
      : Discarded(worker), queue_(std::move(queue)), bytes_(bytes) {
    count(bytes_);
  }

  bool free_some() override {
    for (std::size_t i = 0; i < limits::kFreedCallsPerSlice && !queue_.empty(); ++i) {
      const std::size_t its = queue_.back()->footprint();
      if (its >= limits::kFreeLaterBytes) {
        worker_.services().slow_lane->free_later(
            std::make_unique<LongCall>(std::move(queue_.back())));
      }
      queue_.pop_back();
      bytes_ -= std::min(bytes_, its);
    }
    count(bytes_);
    return queue_.empty();
  }

 private:
  Queue queue_;
  std::size_t bytes_;
};

}  // namespace

void discard_output(runtime::Output& output, Worker& worker) {
  if (output.footprint() < limits::kFreeLaterBytes) return output.clear();
  worker.garbage().add(std::make_unique<DiscardedOutput>(std::move(output), worker));
}

void discard_queue(std::vector<std::unique_ptr<shard::Call>>& queue, std::size_t bytes,
                   Worker& worker) {
  if (bytes < limits::kFreeLaterBytes) return queue.clear();
  worker.garbage().add(std::make_unique<DiscardedQueue>(std::exchange(queue, {}), bytes, worker));
}

}  // namespace slotcar::session
