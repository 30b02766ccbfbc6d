// SlowLane: a few threads for what takes long, so that no worker ever does. It runs
//   * calls that begin here and take their tokens from here,
//   * calls that hold their tokens, only if a thread was free at once; but an EXEC that becomes
//     long in the middle cannot give its tokens back and comes first,
//   * continuations: work on pinned values, no token held,
//   * the freeing of big values, slice by slice, one thread at a time.
// One thread more than the setting says is the *spare* one. It frees, and it runs calls that hold
// tokens if all others are busy. So however many long calls are under way, what is deleted is
// freed, and a holder waits for a slice at most. Only while scripts that do not end have all other
// threads does it run what is queued for those, scripts excepted.
// A mutex guards its queue: what comes here costs far more than a lock.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
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

  // Keeps one free thread for the caller, which must follow with `hand`. False: all are busy.
  bool reserve();
  void hand(Call& call);  // to a reserved thread
  // From a slow thread that is about to end what it does: it is kept for the call, as by `reserve`,
  // while the call queues for tokens. Then `hand` follows, or `give_thread_back`.
  void keep_thread(Call& call);
  void give_thread_back(Call& call);
  // It holds tokens that it cannot give back: a thread that is free, or the first that becomes so.
  void hand_first(Call& call);
  void queue(Call& call);  // for whichever thread becomes free
  void run_later(runtime::Task& task);
  // How many threads there are for calls without tokens.
  std::size_t width() const { return lanes_.size() - 1; }
  // Takes out those calls that are queued for a thread and that `picks` names.
  void take_out_queued(bool (*picks)(Call&), CallList& out);
  // All threads but the spare one run scripts that do not end. Holds until one of them is free.
  void let_spare_help();
  void free_later(std::unique_ptr<base::Garbage> garbage) override;
  // Each thread takes back the memory that others have freed of its own, when it has ended what it
  // is at.
  void collect_memory();
  // Called by the thread that frees, after every `kSlicesPerReport` slices. True: no more is freed
  // before `go_on_freeing` is called, which may come first. To be set before there is anything to
  // free.
  static constexpr std::size_t kSlicesPerReport = 4;
  void set_on_freed(std::function<bool()> on_freed) { on_freed_ = std::move(on_freed); }
  void go_on_freeing() { let_freeing_wait(false); }  // any thread
  // Values of keys that wait to be freed, and that have been (INFO lazyfree_pending_objects,
  // lazyfreed_objects). Any thread.
  std::int64_t objects_to_free() const { return to_free_.load(std::memory_order_relaxed); }
  std::int64_t objects_freed() const { return freed_.load(std::memory_order_relaxed); }

  // Ends the threads; no call runs after. For the taking down of a node, after its workers have
  // ended and before anything of theirs goes. Memory may be handed in until the very end.
  void stop();
  const std::vector<std::unique_ptr<Thread>>& threads() const { return contexts_; }

 private:
  struct Lane;
  struct Job {  // one of the two; none: a slice of garbage
    runtime::Task* task = nullptr;
    Call* call = nullptr;
    bool is_garbage() const { return task == nullptr && call == nullptr; }
  };
  void dispatch(Job job);
  void work_ended(Lane& lane);
  // Under the mutex: what this lane does next, if there is anything for it.
  bool find_job(Lane& lane);
  bool find_job_for_helper();
  // Gives the lanes that are idle what there is to do.
  void wake_idle();
  std::size_t free_lanes() const;
  void free_a_slice();
  void let_freeing_wait(bool waits);

  Scheduler* scheduler_;
  std::mutex mutex_;
  std::deque<Job> waiting_;
  std::deque<Call*> holders_;                           // calls that hold tokens, handed in
  std::deque<std::unique_ptr<base::Garbage>> garbage_;  // without the one that is being freed
  bool freeing_ = false;                                // a thread is at it
  std::size_t slices_ = 0;                              // that one's: freed so far
  bool freeing_waits_ = false;                          // for `go_on_freeing`
  std::function<bool()> on_freed_;
  Lane* spare_ = nullptr;
  bool spare_helps_ = false;
  std::size_t reserved_ = 0;  // lanes that are kept for calls to come
  bool closing_ = false;
  std::atomic<bool> stopped_{false};
  std::atomic<std::int64_t> to_free_{0};
  std::atomic<std::int64_t> freed_{0};
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<std::unique_ptr<Thread>> contexts_;
};

}  // namespace slotcar::shard
