#include "shard/slow_lane.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "base/free_spans.h"
#include "base/memory.h"

namespace slotcar::shard {

namespace {

constexpr std::chrono::milliseconds kReturningMax{20};

}  // namespace

// One slow thread. `Lane` is itself the task that is posted to the runner: one job at a time.
struct SlowLane::Lane : runtime::Task {
  Lane(SlowLane& o) : runtime::Task(&Lane::work), owner(&o) {}
  static void work(runtime::Task& task) {
    Lane& lane = static_cast<Lane&>(task);
    Job job = lane.job;
    if (job.call != nullptr) {
      lane.owner->scheduler_->go_on(*lane.context, *job.call);
    } else if (job.task != nullptr) {
      job.task->run(*job.task);
    } else {
      lane.owner->free_a_slice();
    }
    if (lane.collects.exchange(false, std::memory_order_relaxed)) {
      base::collect_free_memory();
      base::return_free_spans(kReturningMax);
    }
    lane.owner->work_ended(lane);
  }
  SlowLane* owner;
  std::atomic<bool> collects{false};
  std::unique_ptr<runtime::TaskRunner> runner;
  Thread* context = nullptr;
  Job job;
  bool idle = true;
};

SlowLane::SlowLane(Scheduler& scheduler, runtime::Executor& executor, runtime::Clock& clock,
                   runtime::Random& random, std::size_t threads, std::size_t command_count)
    : scheduler_(&scheduler) {
  ASSERT(threads > 0);
  for (std::size_t i = 0; i <= threads; ++i) {
    auto lane = std::make_unique<Lane>(*this);
    lane->runner = executor.start_thread(i < threads ? "slow-" + std::to_string(i) : "slow-spare");
    contexts_.push_back(
        std::make_unique<Thread>(*lane->runner, clock, random.next(), command_count));
    lane->context = contexts_.back().get();
    lanes_.push_back(std::move(lane));
  }
  spare_ = lanes_.back().get();
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

// Lanes that take a call with tokens now, or after a slice of freeing.
std::size_t SlowLane::free_lanes() const {
  std::size_t free = 0;
  for (const auto& lane : lanes_) free += lane->idle || (lane.get() == spare_ && !lane->job.call);
  return free;
}

bool SlowLane::reserve() {
  std::lock_guard lock(mutex_);
  if (free_lanes() <= reserved_ + holders_.size()) return false;
  ++reserved_;
  return true;
}

void SlowLane::keep_thread(Call& call) {
  if (std::exchange(call.schedule().keeps_thread, true)) return;
  std::lock_guard lock(mutex_);
  ++reserved_;
}

void SlowLane::give_thread_back(Call& call) {
  if (!std::exchange(call.schedule().keeps_thread, false)) return;
  {
    std::lock_guard lock(mutex_);
    --reserved_;
  }
  wake_idle();
}

void SlowLane::hand(Call& call) {
  {
    std::lock_guard lock(mutex_);
    --reserved_;
    holders_.push_back(&call);
  }
  wake_idle();
}

void SlowLane::hand_first(Call& call) {
  {
    std::lock_guard lock(mutex_);
    holders_.push_back(&call);
  }
  wake_idle();
}

void SlowLane::queue(Call& call) {
  dispatch({nullptr, &call});
}

void SlowLane::take_out_queued(bool (*picks)(Call&), CallList& out) {
  std::lock_guard lock(mutex_);
  std::erase_if(waiting_, [picks, &out](const Job& job) {
    if (job.call == nullptr || !picks(*job.call)) return false;
    out.push(*job.call);
    return true;
  });
}

void SlowLane::run_later(runtime::Task& task) {
  dispatch({&task, nullptr});
}

void SlowLane::dispatch(Job job) {
  {
    std::lock_guard lock(mutex_);
    waiting_.push_back(job);
  }
  wake_idle();
}

void SlowLane::free_later(std::unique_ptr<base::Garbage> garbage) {
  // In a node that is being taken down no client is left that could be kept waiting.
  if (stopped_.load(std::memory_order_acquire)) return;
  to_free_.fetch_add(garbage->objects(), std::memory_order_relaxed);
  {
    std::lock_guard lock(mutex_);
    garbage_.push_back(std::move(garbage));
  }
  wake_idle();
}

// Who holds tokens comes first. The lanes that are kept for calls to come take no other call, the
// spare one none at all; freeing is for the spare one, or for another while that has a call.
bool SlowLane::find_job(Lane& lane) {
  const bool is_spare = &lane == spare_;
  lane.job = {};
  if (!holders_.empty()) {
    lane.job.call = holders_.front();
    holders_.pop_front();
    return true;
  }
  if (!is_spare) spare_helps_ = false;  // this one is free
  if (is_spare && spare_helps_ && find_job_for_helper()) return true;
  const bool is_kept = free_lanes() + (lane.idle || is_spare ? 0 : 1) <= reserved_;
  if (!is_spare && !is_kept && !waiting_.empty()) {
    lane.job = waiting_.front();
    waiting_.pop_front();
    return true;
  }
  const bool may_free = is_spare || (spare_->job.call != nullptr && !is_kept);
  if (garbage_.empty() || freeing_ || freeing_waits_ || !may_free) return false;
  freeing_ = true;
  return true;
}

bool SlowLane::find_job_for_helper() {
  const auto job = std::ranges::find_if(waiting_, [](const Job& each) {
    return each.call == nullptr || !each.call->declaration().runs_script;
  });
  if (job == waiting_.end()) return false;
  spare_->job = *job;
  waiting_.erase(job);
  return true;
}

void SlowLane::let_spare_help() {
  {
    std::lock_guard lock(mutex_);
    spare_helps_ = true;
  }
  wake_idle();
}

void SlowLane::wake_idle() {
  for (;;) {
    Lane* woken = nullptr;
    {
      std::lock_guard lock(mutex_);
      if (closing_) return;
      for (auto& lane : lanes_) {
        if (!lane->idle || !find_job(*lane)) continue;
        lane->idle = false;
        woken = lane.get();
        break;
      }
    }
    if (woken == nullptr) return;
    woken->runner->post(*woken);
  }
}

void SlowLane::collect_memory() {
  static runtime::Task nothing(+[](runtime::Task&) {});
  std::vector<Lane*> woken;
  {
    std::lock_guard lock(mutex_);
    if (closing_) return;
    for (auto& lane : lanes_) {
      lane->collects.store(true, std::memory_order_relaxed);
      if (!lane->idle) continue;
      lane->idle = false;
      lane->job = {&nothing, nullptr};
      woken.push_back(lane.get());
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
  const bool is_freed = garbage->free_some();
  if (++slices_ % kSlicesPerReport == 0 && on_freed_) {
    let_freeing_wait(true);  // first: it may be called before on_freed_ has returned
    if (!on_freed_()) let_freeing_wait(false);
  }
  if (is_freed) {
    const std::int64_t objects = garbage->objects();
    garbage.reset();
    freed_.fetch_add(objects, std::memory_order_relaxed);
    to_free_.fetch_sub(objects, std::memory_order_relaxed);
    return;
  }
  std::lock_guard lock(mutex_);
  garbage_.push_back(std::move(garbage));
}

void SlowLane::let_freeing_wait(bool waits) {
  {
    std::lock_guard lock(mutex_);
    freeing_waits_ = waits;
  }
  if (!waits) wake_idle();
}

// The lane takes the next job, or becomes idle. What it leaves may then be for another one.
void SlowLane::work_ended(Lane& lane) {
  bool goes_on = false;
  {
    std::lock_guard lock(mutex_);
    if (lane.job.is_garbage()) freeing_ = false;
    lane.job = {};
    if (closing_) return;
    goes_on = find_job(lane);
    lane.idle = !goes_on;
  }
  if (goes_on) lane.runner->post(lane);
  wake_idle();
}

}  // namespace slotcar::shard
