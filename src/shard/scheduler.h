// Scheduler: brings calls to their tokens and runs them. One per node, shared by all threads; it
// has no state of its own but what is in the tokens, the calls and the threads.
//
// * `run_batch` is the fast path: a worker takes the tokens of several pipelined calls at once by
//   trying alone, never waiting, runs them in order and gives all back. Holding a token longer than
//   its call needs it is harmless, and it lets the batch fetch all its cache lines ahead.
// * `start` is the path of a call that may have to wait: tokens in ascending order; where one is
//   held, the call queues and the worker goes on with other connections (shard/token_steps.h).
// * A call that begins on a slow thread (shard/work_place.h) queues for one before it takes a
//   token: "thread first, tokens second". One that gets its last token on a worker goes to a slow
//   thread that is free now, or gives all back and queues for a thread again; after two such tries
//   it keeps the thread that it has while it queues for its tokens.
//
// Its parts: TokenSteps (taking, queueing, retreat, giving back), Holds (what belongs to one
// stretch of work under tokens), SlowLane, Waiters, WatchRemovals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/executor.h"
#include "shard/call.h"
#include "shard/holds.h"
#include "shard/shard.h"
#include "shard/thread.h"
#include "shard/token_host.h"
#include "shard/token_steps.h"
#include "shard/waiters.h"
#include "shard/watch_removals.h"

namespace slotcar::shard {

class SlowLane;

class Scheduler {
 public:
  Scheduler(ShardSet& shards, const ExecutionSettings& settings, runtime::PauseSource* pauses);

  void set_slow_lane(SlowLane& slow_lane);
  ShardSet& shards() { return *shards_; }
  const ExecutionSettings& settings() const { return *settings_; }
  Holds& holds() { return holds_; }
  storage::Log* log() const { return holds_.log(); }
  Waiters& waiters() { return waiters_; }
  WatchRemovals& watch_removals() { return watch_removals_; }
  const WatchRemovals& watch_removals() const { return watch_removals_; }

  // Recovery, while no client is served: runs an effect on the keys of its shards, of which this
  // thread is the only user. A command of the form on_keys or on_all_shards, its keys located.
  void apply(Thread& thread, Call& call, UnixMs time);

  struct Progress {
    std::size_t finished = 0;  // calls[0..finished) are done
    bool pending = false;      // calls[finished] is under way and will come home
    Lsn gate{0};               // the replies of those done may leave once this is durable
  };
  // Calls of the form on_keys with their needs known, which do not begin on a slow thread. Stops
  // before a call whose token is held elsewhere; `start` takes it on.
  Progress run_batch(Thread& thread, std::span<Call* const> calls);

  // True: the call is finished. False: it is under way; `finished` will be called at its home.
  bool start(Thread& thread, Call& call);
  // A short call of the form on_session, on its own worker. It has no hold, so it sees no key and
  // no time; it is finished, and nothing of the log has to be waited for.
  void run_at_once(Thread& thread, Call& call);
  // Any thread: a call that was parked (Call::park) has its answer and goes home. One that was
  // parked in a rest without tokens, and has asked for a further rest, goes on with that on a slow
  // thread: no thread waits for what it waits for.
  void finish_parked(Call& call);

  // --- internal work on one shard (eviction and the like): a token by trying alone, a hold, the
  // end of the hold, and the token back, which runs what was queued meanwhile.
  bool try_take(Shard& shard) { return shard.token.try_take(); }
  keyspace::Hold make_hold(Thread& thread, Shard& shard);
  // While the tokens are still held: serves the calls that wait for what was changed, records,
  // notifies, and then sends home the waiters that were served.
  void close_hold(Thread& thread, keyspace::Hold& hold);
  void give_back(Thread& thread, Shard& shard);

  // --- for its parts
  // Makes an internal call ready that runs `work` under its tokens, in place of a handler.
  void prepare_internal(Call& call, const schema::InternalCommand& command, Continuation work);
  // Continues a call on this thread; or posts it, so that it continues on another one, with
  // whatever it holds.
  void go_on(Thread& thread, Call& call);
  void post_to(Thread& thread, Call& call);
  // Sends a call home that has its answer.
  void send_home(Call& call);
  // Gives a token back in the middle of other work: a call that was queued runs at home.
  void give_back_quietly(Thread& thread, Shard& shard);

 private:
  friend class TokenHost;
  friend class ScriptSteps;
  enum class Outcome { finished, elsewhere };
  enum class Ran { finished, elsewhere, again };

  void prepare(Call& call);
  Outcome begin(Thread& thread, Call& call);
  // Drives the call as far as it goes on this thread.
  Outcome advance(Thread& thread, Call& call);
  Ran run_held(Thread& thread, Call& call);
  Ran run_walk(Thread& thread, Call& call);  // or reads in parts
  Ran end(Thread& thread, Call& call);
  Outcome finish(Thread& thread, Call& call);
  // Null: it has run. Else it must not yet: waiters of that shard are due what it comes for, or
  // keys that it would change are on their way to another server.
  // `clock`: the cycles at which the call before it ended; then those at which this one did.
  Shard* execute(Thread& thread, Call& call, std::uint64_t& clock);
  void go_on_moved(Thread& thread, Call& call, std::uint64_t& clock);
  void after_run(Thread& thread, Call& call);
  void send_served_home(Thread& thread, const keyspace::Hold& hold);
  // Gives all its tokens back. Another thread will continue it, perhaps as soon as the first is
  // back: it may then be home and gone.
  void leave(Thread& thread, Call& call);

  // --- the slow lane (scheduler_slow.cc)
  // A call that holds all its tokens and works long leaves this worker.
  void move_to_slow_lane(Thread& thread, Call& call);
  // An EXEC goes on on another thread, with its tokens and what it has done so far.
  Ran move_transaction(Thread& thread, Call& call, keyspace::Hold&& hold);
  Outcome finish_later(Thread& thread, Call& call);
  void run_rest(Thread& thread, Call& call);

  bool pauses_at(runtime::PausePoint point) {
    return pauses_ != nullptr && pauses_->stops_here(point);
  }

  ShardSet* shards_;
  const ExecutionSettings* settings_;
  runtime::PauseSource* pauses_;
  SlowLane* slow_lane_ = nullptr;
  Holds holds_;
  TokenHost token_host_;
  TokenSteps<TokenHost> tokens_;
  Waiters waiters_;
  WatchRemovals watch_removals_;
};

}  // namespace slotcar::shard
