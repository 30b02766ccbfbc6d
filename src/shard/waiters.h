// Waiters: calls that wait until a key has something for them. One per node; its state is in the
// queues of the shards (keyspace/waited_keys.h), each touched under its shard's token, and in the
// waiters themselves.
//
// The way of a waiter
//
//   wait    A handler finds nothing under its keys and asks to wait (Call::wait). Still under all
//           its tokens the call is put at the end of the queue of each of its keys (`enlist`); then
//           the tokens go back and its home is told, which arms the timer and can now cancel it.
//   signal  Whatever changes a key for which somebody waits puts it on the list of the hold, in one
//           place: Keyspace::changed.
//   serve   When a whole call - a command, an EXEC - has ended, and before its tokens go back, the
//           listed keys are served: from the oldest on, each waiter whose condition is met is
//           claimed, and its handler is run again under the same hold, looking only at keys of
//           shards that are held. So what it pops is recorded together with what was pushed. The
//           reply goes home when the record has been appended.
//   end     Timeout, disconnect, kill, unblock and a change of role claim in the same way and
//           answer; the places in the queues are given up by an errand afterwards.
//
// Why it is right
//
// * Exactly once. A call is answered by whoever claimed its waiter, one compare-exchange, and is
//   touched by nobody else from the moment it is in a queue. It is claimed only after its condition
//   was found to be met, under the token of that key, which is held until its handler has run: the
//   handler finds what the condition saw, and asserts so.
// * No lost element. An element leaves its key only through the handler of a claimed call, which
//   writes it into that call's reply. A waiter that timed out or whose client has gone is claimed
//   already, so nothing is popped for it.
// * Nobody sleeps beside a ready key. A waiter is enlisted under the tokens of all its keys, at a
//   moment at which its handler saw that none is ready. A key becomes ready only by a change under
//   its token; that signals it, and before the token goes back the queue is walked to its end, or
//   to a waiter that leaves it to an errand (below), which walks it again.
//   No other key need be looked at: had another one been ready, its own changer would have served.
// * First come, first served, per key. Queues are in the order of enlisting, and are walked from
//   the front. Who is passed over has a condition that is not met (it waits for another type, or
//   for a later entry of a stream).
// * Key order. A handler that is run again begins with its first key, as it did the first time, so
//   if one call made several of its keys ready the first of them wins. It may then take from
//   another key than the one that is being served; so whoever stands before it in the queue of
//   another key is served first. They are older than it is, and those before them older still: that
//   ends.
// * No write to a dead connection. The waiting call is its session's call under way, and a session
//   outlives that (session.h).
// * No ghosts. Every claim is followed by the giving up of all places, at once in the shards at
//   hand, in the others by an errand. Until that has run a claimed waiter is skipped.
//
// Errands. A waiter that needs a token which is not held (BLMOVE's destination) cannot be served on
// the spot, and nobody may wait for a token while holding others out of order. So an internal call
// is sent that takes all the tokens it needs in the ordinary way, and then serves the queue again.
// The waiter is not claimed meanwhile: it may time out. Those behind it wait too. The same is done
// when one change satisfies more waiters than one hold may serve (`wakeup_batch`).
//
// Until the errand has come the queue is *due*, and nobody takes what waiters have been promised: a
// call that names a due key first serves what is due, or, lacking a token for that, gives back its
// own and is held up until the errand has run (`finish_hand_overs`). It holds nothing meanwhile, so
// nobody waits for it; and since who would add to a due key is held up as well, errands come to an
// end. Calls on other keys get their turn.
//
// An errand writes, so it is admitted by the log as a client's write is: while the log has no room,
// or its disk fails, the errand stands `at the door` and the queue stays due. Reads go on: for them
// the hand-over has not happened yet.
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
#include "keyspace/hold.h"
#include "keyspace/waited_keys.h"
#include "schema/registry.h"
#include "shard/shard.h"
#include "shard/waiter.h"

namespace slotcar::shard {

class Scheduler;
struct ExecutionSettings;

// Why a wait ends without anything having come.
enum class WaitEnd : std::uint8_t {
  timeout,       // also CLIENT UNBLOCK id
  unblocked,     // CLIENT UNBLOCK id ERROR
  role_changed,  // the node may not write any more
  abandoned,     // nobody is there to read an answer
};

class Waiters {
 public:
  // Ascending; the shards whose tokens are held.
  using Held = std::span<const ShardId>;

  Waiters(Scheduler& scheduler, ShardSet& shards, const ExecutionSettings& settings);
  ~Waiters();

  // Under the call's tokens, after its handler asked to wait. False: too many wait already, which
  // was answered.
  bool enlist(Thread& thread, Call& call);
  // After its tokens went back.
  static void tell_home(Thread& thread, const std::shared_ptr<Waiter>& waiter);

  // Serves the keys signalled in this hold.
  void serve(Thread& thread, keyspace::Hold& hold, Held held);
  // Before a call runs: what is due at its keys, or if it names none at any of its shards. Null: it
  // may run. Else something is due still, in that shard, and an errand is on its way.
  Shard* finish_hand_overs(Thread& thread, keyspace::Hold& hold, const Call& call);

  // On any worker's thread. False: somebody else was first, and the call is answered by that.
  bool end(Thread& thread, const std::shared_ptr<Waiter>& waiter, WaitEnd why);

  // Any thread: the log has become durable further, or is no longer there. Errands may go on.
  void log_advanced();

  // Any thread.
  std::int64_t total() const { return total_.load(std::memory_order_relaxed); }

 private:
  using Link = Waiter::Link;
  struct Errand;

  std::string_view refusal(Call& call, std::size_t keys);
  void list(Thread& thread, const std::shared_ptr<Waiter>& waiter, Call& call, std::size_t keys);
  void work_off(Thread& thread, keyspace::Hold& hold, Held held, std::size_t batch);
  // The waiter at which it had to stop, left to an errand; null: none.
  std::shared_ptr<Waiter> serve_key(Thread& thread, keyspace::Hold& hold, Held held,
                                    keyspace::WaitedKey& key, std::size_t batch,
                                    const keyspace::WaitLink* until = nullptr);
  std::shared_ptr<Waiter> serve_those_before(Thread& thread, keyspace::Hold& hold, Held held,
                                             Waiter& waiter, const keyspace::WaitedKey& at);
  void answer(Thread& thread, keyspace::Hold& hold, Held held,
              const std::shared_ptr<Waiter>& waiter);
  void leave(Thread& thread, const std::shared_ptr<Waiter>& waiter, Held held);
  static void take_out(Thread& thread, Link& link);
  void drop_unused(Thread& thread, ShardId shard, keyspace::WaitedKey& key);
  void set_due(keyspace::WaitedKey& key, bool due);
  ShardId shard_of(const keyspace::WaitedKey& key) const { return shards_->shard_of(key.slot); }

  Errand& make_errand(Thread& home, std::vector<ShardId> needs);
  void leave_due(Thread& thread, Thread& home, keyspace::WaitedKey& key,
                 std::vector<ShardId> needs);
  static void run_errand(Call& call);
  static void serve_on_errand(Call& call, keyspace::WaitedKey& key);
  bool log_admits() const;
  void stand_at_door(Thread& home, keyspace::WaitedKey& key, std::vector<ShardId> needs);
  static void errand_ended(Call& call);

  Scheduler* scheduler_;
  ShardSet* shards_;
  const ExecutionSettings* settings_;
  std::atomic<std::int64_t> total_{0};
  schema::Registered errand_command_;

  // Errands under way, so that those which the end of the node cuts short are freed.
  std::mutex mutex_;
  std::vector<std::unique_ptr<Errand>> errands_;
  // Queues whose errands wait for the log.
  struct AtDoor {
    Thread* home;
    keyspace::WaitedKey* key;
    std::vector<ShardId> needs;
  };
  std::vector<AtDoor> at_door_;
  std::atomic<bool> somebody_at_door_{false};
};

}  // namespace slotcar::shard
