// ScriptSteps: what the scheduler does for scripts and for no other call: one begins anew, is given
// up in the middle when the node ends, or is busy for so long that others are not to wait for it.
// Why a script begins anew: eval/script_run.h.
#pragma once

#include <span>
#include <string_view>

#include "base/ids.h"
#include "shard/call.h"
#include "shard/thread.h"

namespace slotcar::shard {

class Scheduler;

class ScriptSteps {
 public:
  // From its handler, when nothing of it is left: the call will begin anew, with the tokens of all
  // shards or with those that it has, and on a slow thread if it `takes_long`. Not in an EXEC.
  static void want_again(Call& call, CallSchedule::Again with, bool takes_long);
  // The running call holds these tokens for longer than others are to wait: clients' calls that are
  // queued there and have not begun are answered with the error, and go home.
  static void refuse_queued(Scheduler& scheduler, Thread& thread, std::span<const ShardId> held,
                            std::string_view error);

  // --- for the scheduler
  // A run of it has ended in the middle. True: it begins anew on this thread.
  static bool end_try(Scheduler& scheduler, Thread& thread, Call& call);

 private:
  static bool start_again(Scheduler& scheduler, Thread& thread, Call& call);
  // It keeps its tokens, and nothing that it did is recorded or told.
  static void abandon(Thread& thread);
};

}  // namespace slotcar::shard
