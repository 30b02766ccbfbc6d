#include "durability/appliers.h"

#include <utility>

#include "runtime/task.h"

namespace slotcar::durability {

namespace {
// Portions are some hundred kilobytes.
constexpr std::size_t kUnderWayMax = 64;
}  // namespace

struct Appliers::Job : runtime::Task {
  Job(Appliers& a, shard::Thread& t, std::unique_ptr<Portion> p)
      : runtime::Task(&Job::work), appliers(a), thread(t), portion(std::move(p)) {}
  static void work(runtime::Task& task) {
    std::unique_ptr<Job> self(static_cast<Job*>(&task));
    Status status = self->portion->apply(self->thread);
    self->portion.reset();  // its bytes are freed before the dealer is notified
    self->appliers.done(std::move(status));
  }
  Appliers& appliers;
  shard::Thread& thread;
  std::unique_ptr<Portion> portion;
};

Appliers::Appliers(runtime::Executor& executor, std::vector<shard::Thread*> contexts, bool threaded)
    : contexts_(std::move(contexts)) {
  if (!threaded) return;
  for (std::size_t i = 0; i < contexts_.size(); ++i) {
    runners_.push_back(executor.start_thread("recover-" + std::to_string(i)));
  }
}

Appliers::~Appliers() = default;

void Appliers::post(std::size_t applier, std::unique_ptr<Portion> portion) {
  shard::Thread& thread = *contexts_[applier];
  if (runners_.empty()) {
    ++under_way_;
    return done(portion->apply(thread));
  }
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return under_way_ < kUnderWayMax; });
    ++under_way_;
  }
  runners_[applier]->post(*new Job(*this, thread, std::move(portion)));
}

void Appliers::done(Status status) {
  std::lock_guard lock(mutex_);
  --under_way_;
  if (!status && first_error_) first_error_ = std::move(status);
  changed_.notify_one();
}

Status Appliers::settle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return under_way_ == 0; });
  return first_error_;
}

bool Appliers::failed() {
  std::lock_guard lock(mutex_);
  return !first_error_;
}

}  // namespace slotcar::durability
