// CallSchedule: the scheduling part of a call: how far it is, and what it has and wants on its way.
// Read and written by the scheduler and its parts (slow lane, waiters, transactions); handlers ask
// for things through Call. A new request begins with a new one, by assignment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/ids.h"
#include "shard/moved_hold.h"
#include "shard/token_steps.h"
#include "shard/waiter.h"

namespace slotcar::shard {

class Call;
class KeyLocator;
class Scheduler;
class ShardReads;
struct Thread;

// The rest of a call's work, in place of its handler.
using Continuation = void (*)(Call&);

// What a call is to read in parts (shard/shard_reads.h).
struct ReadsInParts {
  ShardReads* planned = nullptr;  // null: nothing
  bool begun = false;             // the parts are left in their shards
  std::size_t part = 0;           // the one that it has come to
};

struct CallSchedule {
  // What the thread does with it to which it is posted.
  enum class Next : std::uint8_t {
    begin,        // it has not begun: it was queued for a slow thread first
    take_tokens,  // those that it has not; then it runs
    run_rest,     // `rest`, without tokens
    give_back,    // it has run: only its tokens remain to be given back
  };
  // Of what its run is a part.
  enum class RunsAs : std::uint8_t {
    itself,
    transaction,  // of an EXEC that can go on on a slow thread
    tied,         // of one that is there already, or of a record that is applied: all of it now
    waiter,       // it has waited, and is run again under the tokens of another call
  };
  // An EXEC that must go on on another thread, with its tokens and what it has done so far.
  enum class Move : std::uint8_t { no, to_slow_thread, home };
  // A script that has to begin anew, with more tokens than it has or on another thread. Nothing
  // that it did is left. `never`: the node ends, and the script was stopped in the middle. It keeps
  // its tokens, so no call ever sees what it did.
  enum class Again : std::uint8_t { no, same_tokens, all_tokens, never };
  Scheduler* scheduler = nullptr;
  Thread* goes_on = nullptr;            // the thread that a posted call goes on with
  const KeyLocator* locator = nullptr;  // finds its keys when it begins
  TokenTally tokens;
  Next next = Next::take_tokens;
  RunsAs runs_as = RunsAs::itself;
  Move move = Move::no;
  Again again = Again::no;
  // Of a parked call (Call::park): how many have to end before it goes home, which are its handler
  // and those who answer later. The last one sends it. Touched through std::atomic_ref.
  std::uint32_t parked = 0;
  std::uint8_t slow_tries = 0;          // tokens given back for want of a slow thread
  bool wants_slow = false;              // it works long under its tokens: on a slow thread only
  bool keeps_thread = false;            // a slow thread is kept for it while it queues for tokens
  Continuation rest = nullptr;          // after the tokens have been given back
  Continuation under_tokens = nullptr;  // in place of the handler, which has run already
  ReadsInParts reads;
  std::unique_ptr<WaitRequest> wait;  // asked for by the handler
  std::shared_ptr<Waiter> waiter;     // while it is in the queues of its keys
  std::unique_ptr<MovedHold> moved_hold;
  Lsn gate{0};               // the reply may leave once the log is durable up to here
  std::uint64_t cycles = 0;  // how long it has run so far, without its waiting for tokens
};

}  // namespace slotcar::shard
