#include "shard/slow_lane.h"

#include "base/assert.h"

namespace slotcar::shard {

// One slow thread. `Lane` is itself the task that is posted to the runner: one job at a time.
struct SlowLane::Lane : runtime::Task {
  Lane(SlowLane& o) : runtime::Task(&Lane::work), owner(&o) {}
  static void work(runtime::Task& task) {
    Lane& lane = static_cast<Lane&>(task);
    Job job = lane.job;
    if (job.call != nullptr) {
      job.call->goes_on_ = lane.context;
      Scheduler::go_on(*job.call);
    } else {
      job.task->run(*job.task);
    }
    lane.owner->work_ended(lane);
  }
  SlowLane* owner;
  std::unique_ptr<runtime::TaskRunner> runner;
  Thread* context = nullptr;
  Job job;
};

SlowLane::SlowLane(Scheduler& scheduler, runtime::Executor& executor, runtime::Clock& clock,
                   runtime::Random& random, std::size_t threads, std::size_t command_count)
    : scheduler_(&scheduler) {
  ASSERT(threads > 0);
  for (std::size_t i = 0; i < threads; ++i) {
    auto lane = std::make_unique<Lane>(*this);
    lane->runner = executor.start_thread("slow-" + std::to_string(i));
    contexts_.push_back(
        std::make_unique<Thread>(*lane->runner, clock, random.next(), command_count));
    lane->context = contexts_.back().get();
    idle_.push_back(lane.get());
    lanes_.push_back(std::move(lane));
  }
}

SlowLane::~SlowLane() {
  stop();
}

// What is running or waiting may still ask for more (freeing, mostly): that is kept and done here.
// Calls that wait will not run any more; they belong to sessions, which are about to go.
void SlowLane::stop() {
  {
    std::lock_guard lock(mutex_);
    if (closing_) return;
    closing_ = true;
    idle_.clear();
  }
  for (auto& lane : lanes_) lane->runner.reset();  // joins: what was posted has run
  for (;;) {
    Job job;
    {
      std::lock_guard lock(mutex_);
      if (waiting_.empty()) {
        stopped_ = true;
        return;
      }
      job = waiting_.front();
      waiting_.pop_front();
    }
    if (job.task != nullptr) job.task->run(*job.task);
  }
}

bool SlowLane::reserve() {
  std::lock_guard lock(mutex_);
  if (idle_.size() <= reserved_) return false;
  ++reserved_;
  return true;
}

void SlowLane::hand(Call& call) {
  call.scheduler_ = scheduler_;
  dispatch({nullptr, &call}, /*reserved=*/true);
}

void SlowLane::queue(Call& call) {
  call.scheduler_ = scheduler_;
  dispatch({nullptr, &call}, /*reserved=*/false);
}

void SlowLane::run_later(runtime::Task& task) {
  dispatch({&task, nullptr}, /*reserved=*/false);
}

void SlowLane::free_later(void* object, void (*release)(void*)) {
  // A node that is being taken down has nobody left who could be kept waiting.
  if (stopped_.load(std::memory_order_acquire)) return release(object);
  run_later(runtime::make_task([object, release] { release(object); }));
}

void SlowLane::dispatch(Job job, bool reserved) {
  Lane* lane = nullptr;
  {
    std::lock_guard lock(mutex_);
    if (reserved) --reserved_;
    if (closing_ || (!reserved && idle_.size() <= reserved_)) {
      waiting_.push_back(job);
      return;
    }
    lane = idle_.back();
    idle_.pop_back();
    lane->job = job;
  }
  lane->runner->post(*lane);
}

// The lane takes the next job, or becomes idle.
void SlowLane::work_ended(Lane& lane) {
  {
    std::lock_guard lock(mutex_);
    if (closing_) return;
    if (waiting_.empty()) {
      idle_.push_back(&lane);
      return;
    }
    lane.job = waiting_.front();
    waiting_.pop_front();
  }
  lane.runner->post(lane);
}

}  // namespace slotcar::shard
