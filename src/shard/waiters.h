// Waiters: calls that wait until a key has something for them. One per node; its state is in the
// queues of the shards (keyspace/watch/waited_keys.h), each touched under its shard's token, and in
// the waiters themselves.
//
// The way of a waiter
//
//   wait    A handler finds nothing under its keys and asks to wait (Call::wait). Still under all
//           its tokens the call is put at the end of the queue of each of its keys (`enlist`).
//           Before they go back the waiter is made reachable, so that any worker can end the wait;
//           if its client was killed by then, the wait ends at once. Then its home is notified,
//           which arms the timer.
//   signal  Whatever changes a key for which a call waits puts it on the list of the hold, in one
//           place: Keyspace::changed.
//   serve   When a whole call - a command, an EXEC - has ended, and before its tokens go back, the
//           listed keys are served: from the oldest on, each waiter whose condition is met is
//           claimed, and its handler is run again under the same hold, looking only at keys of
//           shards that are held. So what it pops is recorded together with what was pushed. The
//           reply goes home when the record has been appended.
//   end     Timeout, disconnect, kill, unblock and a change of role claim in the same way and
//           answer; the places in the queues are given up by a waiter task afterwards.
//
// Why it is right
//
// * Exactly once. A call is answered by the thread that claimed its waiter, one compare-exchange,
//   and no other thread touches it from the moment it is in a queue. It is claimed only after its
//   condition was found to be met, under the token of that key, which is held until its handler has
//   run: the handler finds what the condition saw, and asserts so.
// * No lost element. An element leaves its key only through the handler of a claimed call, which
//   writes it into that call's reply. A waiter that timed out or whose client has gone is claimed
//   already, so nothing is popped for it.
// * No call sleeps beside a ready key. A waiter is enlisted under the tokens of all its keys, at a
//   moment at which its handler saw that none is ready. A key becomes ready only by a change under
//   its token; that signals it, and before the token goes back the queue is walked to its end, or
//   to a waiter that leaves it to a waiter task (below), which walks it again.
//   No other key need be looked at: had another one been ready, its own changer would have served.
// * First come, first served, per key. Queues are in the order of enlisting, and are walked from
//   the front. A waiter that is passed over has a condition that is not met (it waits for another
//   type, or for a later entry of a stream).
// * Key order. A handler that is run again begins with its first key, as it did the first time, so
//   if one call made several of its keys ready the first of them wins. It may then take from
//   another key than the one that is being served; so a waiter before it in the queue of
//   another key is served first. They are older than it is, and those before them older still: that
//   ends.
// * No write to a dead connection. The waiting call is its session's call under way, and a session
//   outlives that (session.h).
// * No delivery after the end. A call that kills, unblocks or evicts a client claims its waiter
//   before it is answered, whichever worker it is at home on; so nothing that is pushed afterwards
//   goes to it. Either the killer finds the waiter, or the waiter finds that its client is to go:
//   both look under one lock, after having left their own mark (session/clients.h).
// * Under `appendfsync always` a served reply waits for the last record of each key that it was
//   shown, whichever client wrote that, and for the record of the hold that served it.
// * No ghosts. Every claim is followed by the giving up of all places, at once in the shards at
//   hand, in the others by a waiter task. Until that has run a claimed waiter is skipped.
//
// Waiter tasks. A waiter that needs a token which is not held (BLMOVE's destination) cannot be
// served on the spot, and no call may wait for a token while holding others out of order. So an
// internal call is sent that takes all the tokens it needs in the ordinary way, and then serves the
// queue again. The waiter is not claimed meanwhile: it may time out. Those behind it wait too. The
// same is done when a hold has served as many as it may (`wakeup_batch`), at whichever keys: a push
// of many elements, an EXEC of many pushes, and movers that each make the next one's key ready.
//
// Until the waiter task has come the queue is *due*, and no call takes what waiters have been
// promised: a call that names a due key first serves what is due, as far as its tokens and the
// batch allow; if something is left it gives back its tokens and is deferred until the waiter task
// has run (`finish_hand_overs`). It holds nothing meanwhile, so no call waits for it; and since
// calls that would add to a due key are deferred as well, waiter tasks come to an end. Calls on
// other keys get their turn.
//
// A waiter task writes, so it is admitted by the log as a client's write is: while the log has no
// room, or its disk fails, the waiter task waits and the queue stays due. Reads go on: for them the
// hand-over has not happened yet.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/shard_list.h"
#include "keyspace/hold.h"
#include "keyspace/watch/waited_keys.h"
#include "schema/internal_command.h"
#include "shard/shard.h"
#include "shard/thread.h"
#include "shard/waiter.h"

namespace slotcar::shard {

class Scheduler;
struct ExecutionSettings;

// Why a wait ends without anything having come.
enum class WaitEnd : std::uint8_t {
  timeout,       // also CLIENT UNBLOCK id
  unblocked,     // CLIENT UNBLOCK id ERROR
  role_changed,  // the node may not write any more
  abandoned,     // no client is there to read an answer
  slot_moved,    // another node has the slot of its keys now
};

class Waiters {
 public:
  Waiters(Scheduler& scheduler, ShardSet& shards, const ExecutionSettings& settings);
  ~Waiters();

  // Under the call's tokens, after its handler asked to wait. False: too many wait already, which
  // was answered.
  bool enlist(Thread& thread, Call& call);
  // The wait can be ended from here on. Under the call's tokens, and the last thing that is done
  // with the call.
  void make_reachable(Thread& thread, const std::shared_ptr<Waiter>& waiter);
  // After its tokens went back.
  static void notify_home(Thread& thread, const std::shared_ptr<Waiter>& waiter);

  // Serves the keys signalled in this hold, if there are any.
  void serve_signalled(Thread& thread, keyspace::Hold& hold) {
    if (!thread.signals.empty()) [[unlikely]]
      serve(thread, hold);
  }
  // Before a call runs: what is due at its keys, or if it names none at any of its shards. Null: it
  // may run. Else something is due still, in that shard, and a waiter task is on its way.
  Shard* finish_hand_overs(Thread& thread, keyspace::Hold& hold, const Call& call);

  // On any worker's thread. False: another thread was first, and answers the call.
  bool end(Thread& thread, const std::shared_ptr<Waiter>& waiter, WaitEnd why);

  // Any thread: the log has become durable further, or is no longer there. Waiter tasks may go on.
  void log_advanced();

  // Any thread.
  std::int64_t total() const { return total_.load(std::memory_order_relaxed); }

 private:
  void serve(Thread& thread, keyspace::Hold& hold);
  using Link = Waiter::Link;
  struct WaiterTask;

  std::string_view refusal(Call& call, std::size_t keys);
  void list(Thread& thread, const std::shared_ptr<Waiter>& waiter, Call& call, std::size_t keys);
  // A queue that is being walked.
  struct Walk {
    keyspace::WaitedKey* key;
    keyspace::WaitLink* at;                     // looked at next
    const keyspace::WaitLink* until = nullptr;  // not looked at any more
    // Whose turn it is once those before it at its other keys have been looked at; null: none.
    std::shared_ptr<Waiter> waiter = nullptr;
    Link* link = nullptr;         // its place in this queue
    std::size_t others_seen = 0;  // of its places
  };
  void serve_key(Thread& thread, keyspace::Hold& hold, keyspace::WaitedKey& key,
                 std::size_t& batch);
  bool look_at_next(Thread& thread, keyspace::Hold& hold, Walk& walk, std::size_t batch,
                    std::shared_ptr<Waiter>& stuck);
  static Link* next_queue_before(Walk& walk, const keyspace::Hold& hold);
  void claim_and_answer(Thread& thread, keyspace::Hold& hold, Walk& walk, std::size_t& batch);
  void answer(Thread& thread, keyspace::Hold& hold, const std::shared_ptr<Waiter>& waiter);
  void leave(Thread& thread, const keyspace::Hold& hold, const std::shared_ptr<Waiter>& waiter);
  static void take_out(Thread& thread, Link& link);
  static void look_whether_unused(Thread& thread, keyspace::WaitedKey& key);
  void drop_unused(Thread& thread, ShardId shard, keyspace::WaitedKey& key);
  void set_due(keyspace::WaitedKey& key, bool due);
  ShardId shard_of(const keyspace::WaitedKey& key) const { return shards_->shard_of(key.slot); }

  WaiterTask& make_task(Thread& home, base::ShardList needs);
  void leave_due(Thread& thread, Thread& home, keyspace::WaitedKey& key, base::ShardList needs);
  static void run_task(Call& call);
  static void serve_from_task(Call& call, keyspace::WaitedKey& key);
  bool log_admits() const;
  void wait_for_log_space(Thread& home, keyspace::WaitedKey& key, base::ShardList needs);
  static void task_ended(Call& call);

  Scheduler* scheduler_;
  ShardSet* shards_;
  const ExecutionSettings* settings_;
  std::atomic<std::int64_t> total_{0};
  schema::InternalCommand task_command_;

  // Waiter tasks under way, so that those which the end of the node cuts short are freed.
  std::mutex mutex_;
  std::vector<std::unique_ptr<WaiterTask>> tasks_;
  // Queues whose waiter tasks wait for the log.
  struct WaitsForLogSpace {
    Thread* home;
    keyspace::WaitedKey* key;
    base::ShardList needs;
  };
  std::vector<WaitsForLogSpace> waiting_for_log_space_;
  std::atomic<bool> any_waits_for_log_space_{false};
};

}  // namespace slotcar::shard
