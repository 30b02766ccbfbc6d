// MemoryReturner: returns free memory to the system, automatically after much was freed, or on
// request (MEMORY PURGE).
//
// Why it is needed. Memory belongs to the thread that allocated it. What another thread frees of it
// (the slow lane frees big values and flushed databases) is in a list until the owner looks; an
// idle owner never does. And what the owner has taken back is returned to the system only when it
// has been free for half a second and a thread asks the allocator to do so.
//
// Why it stalls no worker. Taking back costs 0.1 microseconds and more for each block that others
// have freed, and a fraction of a millisecond for each gigabyte in use. So workers do it in step
// with the freeing, after every few slices of it (`freed_some`), and no more is freed before all of
// them have done so: each time there is little. Without that wait a freeing thread that is faster
// than they are leaves a list that grows while it is walked: 50 ms for 300,000 keys. Handing to
// the system costs 10 ms for 100 MB: the threads of the slow lane do that, one step before the
// workers (`step_`), so that a worker finds next to nothing that is due. Each such step looks at a
// few of the allocator's free segments only, drawn by chance; so the last one, and each one of
// many, hands back all of them. What is free inside segments that are in use the workers hand back
// themselves, as only the owner can (base/free_spans.h): in the second half of the steps, a little
// at a time.
//
// Touched by the worker whose ticker it is; `ask` and `freed_some` by any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/task.h"
#include "session/worker.h"

namespace slotcar::node {

class Node;

class MemoryReturner final : public session::Ticker {
 public:
  explicit MemoryReturner(Node& node) : node_(node) {}
  void begin();  // the workers are there

  runtime::Nanos tick(session::Worker& worker) override;
  void ask() { asked_.store(true, std::memory_order_relaxed); }
  // The slow lane has freed some of what workers have allocated. True: it is still to be taken
  // back, and SlowLane::go_on_freeing will be called when it has been.
  bool freed_some();
  // Likewise for any other reason.
  void collect_soon();

 private:
  // One for each worker, owned here: a loop that has stopped never runs what is posted to it.
  struct Collect : runtime::Task {
    explicit Collect(MemoryReturner& o) : Task(&Collect::work), owner(&o) {}
    static void work(runtime::Task& task);
    MemoryReturner* owner;
    std::atomic<bool> posted{false};
    std::atomic<bool> returns_spans{false};
  };

  bool much_was_freed();
  void take_step();
  bool has_collected();  // one of those who collect; true: it was the last

  Node& node_;
  std::vector<std::unique_ptr<Collect>> collects_;
  std::atomic<std::size_t> collecting_{0};  // workers, and the thread that posts to them
  std::atomic<bool> asked_{false};
  std::int64_t high_ = 0;  // the highest use since it last began
  runtime::Nanos next_ = 0;
  int steps_left_ = 0;
  int steps_until_all_ = 0;
  enum class Step : std::uint8_t { slow_lane, workers } step_ = Step::slow_lane;
};

}  // namespace slotcar::node
