#include "node/memory_returner.h"

#include <algorithm>

#include "base/free_spans.h"
#include "base/memory.h"
#include "node/node.h"

namespace slotcar::node {

using runtime::kMillisecond;
using runtime::Nanos;

namespace {

// Less than this is not worth the effort.
constexpr std::int64_t kMuch = 16 * 1024 * 1024;
constexpr Nanos kApart = 50 * kMillisecond;
// The number of steps after the last freeing: the allocator waits half a second, twice (pages, then
// their segments).
constexpr int kSteps = 40;
// Of a worker's time in one step, for what is free in segments that are in use.
constexpr std::chrono::microseconds kReturningMax{500};

}  // namespace

void MemoryReturner::begin() {
  for (std::size_t i = 0; i < node_.workers().size(); ++i) {
    collects_.push_back(std::make_unique<Collect>(*this));
  }
  node_.slow_lane().set_on_freed([this] { return freed_some(); });
}

bool MemoryReturner::freed_some() {
  // This thread is one of them until all are posted.
  collecting_.fetch_add(1, std::memory_order_acq_rel);
  std::size_t number = 0;
  for (session::Worker* worker : node_.workers()) {
    Collect& collect = *collects_[number++];
    if (collect.posted.exchange(true, std::memory_order_acq_rel)) continue;
    collecting_.fetch_add(1, std::memory_order_acq_rel);
    worker->loop().post(collect);
  }
  return !has_collected();
}

// The one who ends last lets the freeing go on, for whatever reason it was asked.
void MemoryReturner::collect_soon() {
  if (!freed_some()) node_.slow_lane().go_on_freeing();
}

bool MemoryReturner::has_collected() {
  return collecting_.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

bool MemoryReturner::much_was_freed() {
  const std::int64_t used = node_.memory_use().sum();
  high_ = std::max(high_, used);
  // Unlinked values count as free at once; that is when freeing begins.
  const bool freeing = node_.slow_lane().objects_to_free() > 0;
  if (!freeing && high_ - used < kMuch && !asked_.load(std::memory_order_relaxed)) return false;
  asked_.store(false, std::memory_order_relaxed);
  high_ = used;
  return true;
}

Nanos MemoryReturner::tick(session::Worker& worker) {
  const Nanos now = worker.loop().turn_monotonic();
  if (much_was_freed()) steps_left_ = kSteps;
  if (steps_left_ == 0) return INT64_MAX;  // other tickers look often enough
  if (now < next_) return next_;
  --steps_left_;
  next_ = now + kApart;
  if (steps_left_ != 0 && --steps_until_all_ > 0) {
    take_step();
  } else {
    steps_until_all_ = kSteps;
    node_.slow_lane().run_later(runtime::make_task([] { base::return_free_memory(); }));
  }
  return next_;
}

void MemoryReturner::take_step() {
  if (step_ == Step::slow_lane) {
    node_.slow_lane().collect_memory();
    step_ = Step::workers;
    return;
  }
  for (const auto& collect : collects_) {
    collect->returns_spans.store(steps_left_ < kSteps / 2, std::memory_order_relaxed);
  }
  collect_soon();
  step_ = Step::slow_lane;
}

void MemoryReturner::Collect::work(runtime::Task& task) {
  Collect& self = static_cast<Collect&>(task);
  const bool returns_spans = self.returns_spans.load(std::memory_order_relaxed);
  self.posted.store(false, std::memory_order_release);
  base::collect_free_memory();
  if (returns_spans) base::return_free_spans(kReturningMax);
  MemoryReturner& owner = *self.owner;
  if (owner.has_collected()) owner.node_.slow_lane().go_on_freeing();
}

}  // namespace slotcar::node
