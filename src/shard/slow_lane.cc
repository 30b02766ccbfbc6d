#include "shard/slow_lane.h"

#include "base/assert.h"
#include "base/memory.h"

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
    } else if (job.task != nullptr) {
      job.task->run(*job.task);
    } else {
      lane.owner->free_a_slice();
    }
    if (lane.collects.exchange(false, std::memory_order_relaxed)) base::collect_free_memory();
    lane.owner->work_ended(lane);
  }
  SlowLane* owner;
  std::atomic<bool> collects{false};
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
      if (waiting_.empty() && garbage_.empty()) {
        stopped_ = true;
        return;
      }
      if (!waiting_.empty()) {
        job = waiting_.front();
        waiting_.pop_front();
      }
    }
    if (job.is_garbage()) {
      free_a_slice();
    } else if (job.task != nullptr) {
      job.task->run(*job.task);
    }
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

void SlowLane::free_later(std::unique_ptr<base::Garbage> garbage) {
  // A node that is being taken down has nobody left who could be kept waiting.
  if (stopped_.load(std::memory_order_acquire)) return;
  to_free_.fetch_add(garbage->objects(), std::memory_order_relaxed);
  Lane* lane = nullptr;
  {
    std::lock_guard lock(mutex_);
    garbage_.push_back(std::move(garbage));
    if (closing_ || freeing_ || idle_.size() <= reserved_) return;
    freeing_ = true;
    lane = idle_.back();
    idle_.pop_back();
    lane->job = {};
  }
  lane->runner->post(*lane);
}

void SlowLane::collect_memory() {
  static runtime::Task nothing(+[](runtime::Task&) {});
  std::vector<Lane*> woken;
  {
    std::lock_guard lock(mutex_);
    if (closing_) return;
    for (auto& lane : lanes_) lane->collects.store(true, std::memory_order_relaxed);
    while (idle_.size() > reserved_) {
      woken.push_back(idle_.back());
      idle_.pop_back();
      woken.back()->job = {&nothing, nullptr};
    }
  }
  for (Lane* lane : woken) lane->runner->post(*lane);
}

// The big ones take turns, so that a small one need not wait for the end of the biggest.
void SlowLane::free_a_slice() {
  std::unique_ptr<base::Garbage> garbage;
  {
    std::lock_guard lock(mutex_);
    garbage = std::move(garbage_.front());
    garbage_.pop_front();
  }
  if (garbage->free_some()) {
    const std::int64_t objects = garbage->objects();
    garbage.reset();
    freed_.fetch_add(objects, std::memory_order_relaxed);
    to_free_.fetch_sub(objects, std::memory_order_relaxed);
    return;
  }
  std::lock_guard lock(mutex_);
  garbage_.push_back(std::move(garbage));
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

// The lane takes the next job, or becomes idle. After a job comes a slice of garbage, if there is
// any and nobody else is at it: what is deleted must not wait until nobody calls any more.
void SlowLane::work_ended(Lane& lane) {
  {
    std::lock_guard lock(mutex_);
    if (closing_) return;
    const bool has_freed = lane.job.is_garbage();
    if (has_freed) freeing_ = false;
    const bool can_free = !garbage_.empty() && !freeing_;
    if (!waiting_.empty() && (has_freed || !can_free)) {
      lane.job = waiting_.front();
      waiting_.pop_front();
    } else if (can_free) {
      lane.job = {};
      freeing_ = true;
    } else {
      idle_.push_back(&lane);
      return;
    }
  }
  lane.runner->post(lane);
}

}  // namespace slotcar::shard
