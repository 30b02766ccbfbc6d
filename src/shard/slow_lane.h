// SlowLane: a few threads for what takes long, so that no worker ever does. It runs
//   * calls found to be slow, holding their tokens (only if a thread was free at once) or taking
//     them from there,
//   * continuations: work on pinned values, no token held,
//   * the freeing of big values.
// A mutex guards its queue: what comes here costs far more than a lock.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "base/shared_bytes.h"
#include "runtime/executor.h"
#include "shard/scheduler.h"
#include "shard/thread.h"

namespace slotcar::shard {

class SlowLane final : public base::Reclaimer {
 public:
  SlowLane(Scheduler& scheduler, runtime::Executor& executor, runtime::Clock& clock,
           runtime::Random& random, std::size_t threads, std::size_t command_count);
  ~SlowLane() override;

  // Keeps one idle thread for the caller, who must follow with `hand`. False: all are busy.
  bool reserve();
  void hand(Call& call);   // to a reserved thread
  void queue(Call& call);  // for whichever thread becomes free
  void run_later(runtime::Task& task);
  void free_later(void* object, void (*release)(void*)) override;

  // Ends the threads; no call runs after. For the taking down of a node, after its workers have
  // ended and before anything of theirs goes. Memory may be handed in until the very end.
  void stop();
  const std::vector<std::unique_ptr<Thread>>& threads() const { return contexts_; }

 private:
  struct Lane;
  struct Job {  // one of the two
    runtime::Task* task = nullptr;
    Call* call = nullptr;
  };
  void dispatch(Job job, bool reserved);
  void work_ended(Lane& lane);

  Scheduler* scheduler_;
  std::mutex mutex_;
  std::deque<Job> waiting_;
  std::vector<Lane*> idle_;
  std::size_t reserved_ = 0;
  bool closing_ = false;
  std::atomic<bool> stopped_{false};
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<std::unique_ptr<Thread>> contexts_;
};

}  // namespace slotcar::shard
