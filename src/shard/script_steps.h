// ScriptSteps: what the scheduler does for scripts and for no other call: one gains the token of a
// key that it has not declared, begins anew, is given up in the middle when the node ends, or is
// busy for so long that others are not to wait for it. When a script does which: eval/script_run.h.
//
// Gaining tokens
//
// A script that runs may take further tokens, by trying alone. It keeps all that it has until its
// end. If another call holds the token, the script is undone, gives back everything, and begins
// anew with that token among those that it takes first; if that happens twice, with all tokens.
//
// * No deadlock. A call waits only before it runs, for tokens in ascending order; a running call
//   never waits. So a call that waits, waits for one that is running or that waits for a higher
//   shard, as it is without scripts (shard/token.h).
// * Isolation. No token is given back before the last one was taken. At the moment of the last gain
//   the script holds every token of what it has read and written, and has held each of them since
//   it first looked there: what it did is what it would have done had it taken all of them at that
//   moment. A try that was undone has changed nothing (keyspace/undo.h).
// * Epoch. A call reads the epoch after all its tokens are held, so it is wholly before or wholly
//   after the cut of a snapshot. A script reads it again after each gain. If it has changed, a
//   snapshot has begun since the script did, and the script begins anew: its earlier writes would
//   be part of that snapshot, and those to a shard that is already cut would not.
// * Who listens. What clients have asked to be notified of is read again after each gain: a client
//   may have asked, and read a key there, since the script began.
// * Waiters and reads in parts. Where waiters of a gained shard are due something, or parts are
// left
//   to be read, the script begins anew as if the token were held; that is done before a call runs.
// * Progress. A script begins anew at most twice for want of tokens. With all tokens there is
//   nothing to gain.
// * Time. Only scripts on workers gain tokens, and these end or move after kScriptOnWorkerNsMax.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/ids.h"
#include "base/shard_list.h"
#include "shard/call.h"
#include "shard/thread.h"

namespace slotcar::shard {

class Scheduler;

// The shards whose tokens a script begins anew with, besides those that it had.
struct ScriptRetry final : CallState {
  base::ShardList wanted;
};

class ScriptSteps {
 public:
  // The running script wants these shards. Otherwise than `gained`, it has to begin anew; what it
  // has taken of them it holds.
  enum class Gain : std::uint8_t { gained, held_by_other, snapshot_began };
  static Gain gain(Scheduler& scheduler, Thread& thread, Call& call, const base::ShardList& wanted);

  // From its handler, when nothing of it is left: the call will begin anew, with the tokens of all
  // shards or with those that it has and those of its ScriptRetry, and on a slow thread if it
  // `takes_long`. Not in an EXEC.
  static void want_again(Call& call, CallSchedule::Again with, bool takes_long);
  // The running call holds these tokens for longer than others are to wait: clients' calls that are
  // queued there and have not begun are answered with the error, and go home.
  static void refuse_queued(Scheduler& scheduler, Thread& thread, std::span<const ShardId> held,
                            std::string_view error);

  // Likewise for calls that are queued for a slow thread, while scripts occupy all of them.
  static void refuse_queued_for_thread(Scheduler& scheduler, Thread& thread,
                                       std::string_view error);
  // How many threads scripts have to occupy for that.
  static std::size_t slow_threads(const Scheduler& scheduler);

  // --- for the scheduler
  // A run of it has ended in the middle. True: it begins anew on this thread.
  static bool end_try(Scheduler& scheduler, Thread& thread, Call& call);

 private:
  static bool start_again(Scheduler& scheduler, Thread& thread, Call& call);
  static void refuse(Scheduler& scheduler, Thread& thread, Call& call, std::string_view error);
  // It keeps its tokens, and nothing that it did is recorded or notified.
  static void abandon(Thread& thread);
};

}  // namespace slotcar::shard
