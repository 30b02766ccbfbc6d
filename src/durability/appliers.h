// Appliers: the threads that put recovered keys and effects into the shards, before clients are
// served. A shard belongs to one of them, so each works without tokens and keeps the order of every
// key. Commands on several shards wait until all are idle (`settle`).
//
// One thread deals (reads files and finds the applier of each piece), the others apply. The queued
// work is bounded, so that reading does not run gigabytes ahead of applying. Without threads (in
// the simulator) everything runs on the dealer.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "runtime/executor.h"
#include "shard/thread.h"

namespace slotcar::durability {

// A piece of work for one applier. Its error is kept: the first one counts.
class Portion {
 public:
  virtual ~Portion() = default;
  virtual Status apply(shard::Thread& thread) = 0;
};

class Appliers {
 public:
  // One applier for each context, which is used for nothing else meanwhile. `threaded`: on threads
  // of their own.
  Appliers(runtime::Executor& executor, std::vector<shard::Thread*> contexts, bool threaded);
  ~Appliers();

  std::size_t count() const { return contexts_.size(); }
  std::size_t of(ShardId shard) const { return shard.value % contexts_.size(); }
  // The dealer's own, while all others are idle.
  shard::Thread& dealer() { return *contexts_[0]; }

  void post(std::size_t applier, std::unique_ptr<Portion> portion);
  // Waits until everything posted is applied. Returns the first error.
  Status settle();
  bool failed();

 private:
  struct Job;
  void done(Status status);

  std::vector<shard::Thread*> contexts_;
  std::vector<std::unique_ptr<runtime::TaskRunner>> runners_;  // none: no threads
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t under_way_ = 0;
  Status first_error_;
};

}  // namespace slotcar::durability
