// CallWaker: runs calls again that wait in shards (Shard::deferred_calls), when what they waited
// for has ended without the token of the shard: the state of a slot, which another thread changes.
//
// Why none is forgotten: a call looks at the state, and begins to wait, under the token. The thread
// that changes the state wakes the shard after that. Either the waking takes the token after the
// call has let go of it, and finds it in the list; or the call takes it after the waking, and sees
// the new state. A call that has to wait all the same goes back into the list.
//
// An internal call takes the shards one after the other, one in each turn of the worker.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "base/ids.h"
#include "schema/internal_command.h"

namespace slotcar::shard {

class Call;
class Scheduler;
struct Thread;

class CallWaker {
 public:
  explicit CallWaker(Scheduler& scheduler);
  ~CallWaker();

  // Any thread. The calls are run by that worker, as far as they do not go elsewhere.
  void wake(Thread& worker, std::vector<ShardId> shards);

 private:
  struct Round;
  void go_on(Round& round);
  static void wake_one(Call& call);
  static void one_ended(Call& call);

  Scheduler* scheduler_;
  schema::InternalCommand command_;
  // Under way, so that those which the end of the node cuts short are freed.
  std::mutex mutex_;
  std::vector<std::unique_ptr<Round>> rounds_;
};

}  // namespace slotcar::shard
