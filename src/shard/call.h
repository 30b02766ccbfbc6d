// Call: one command invocation: a request, and its way to tokens, threads and home. It owns all
// that it needs, so it can run on any thread. Handlers see a Call and nothing else of the
// connection.
//
// Life: filled by the session and the router (Request); started by the scheduler; run by whichever
// thread holds all its tokens; finished on its home runner. At each moment one thread owns it: the
// one that runs it, or the queue that it is in.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "keyspace/keyspace.h"
#include "runtime/task.h"
#include "shard/call_schedule.h"
#include "shard/execution_settings.h"
#include "shard/request.h"
#include "shard/shard.h"
#include "shard/thread.h"
#include "shard/waiter.h"
#include "shard/work_place.h"

namespace slotcar::shard {

// State that a handler keeps between the visits of a walk, or for its continuation.
struct CallState {
  virtual ~CallState() = default;
  // The handler is through. What it pinned may have no other holder left, and the worker to which
  // the call goes home must not free it. The reclaimer may be null.
  virtual void let_go(base::Reclaimer*) {}
};

// Finds the keys of a call later than the router: hashing a million names is no work for a worker.
class KeyLocator {
 public:
  // False: another node has them, or none; which was answered.
  virtual bool locate_keys(Thread& thread, Call& call) const = 0;

 protected:
  ~KeyLocator() = default;
};

// The script that calls a command, which sees only that there is one.
class ScriptScope {
 protected:
  ~ScriptScope() = default;
};

// What a call sees while it runs. A call inside another sees what that one does.
struct CallContext {
  keyspace::Hold* hold = nullptr;
  Thread* thread = nullptr;
  ShardSet* shards = nullptr;
  const ExecutionSettings* settings = nullptr;
  session::Session* session = nullptr;
  node::Node* node = nullptr;
  // The script that calls it; null: none. Such a call may run on any thread, and must not touch its
  // connection.
  ScriptScope* script = nullptr;
  Call* exec = nullptr;  // the transaction that it is a part of; null: none
};

// Where a call goes when it has ended.
struct CallHome {
  Thread* thread = nullptr;
  void (*finished)(Call&) = nullptr;  // run there when it was not finished on the spot
  void* owner = nullptr;
  // Where its waiter can be found once it waits, and what is called at home then.
  Waiter::OnReachable on_reachable = nullptr;
  Waiter::OnWaiting on_waiting = nullptr;
};

class Call : public runtime::Task, public Queued, public Request {
 public:
  using Continuation = shard::Continuation;

  Call() : runtime::Task(nullptr) {}

  // --- what a handler sees
  keyspace::Hold& hold() { return *context_.hold; }
  UnixMs now() const { return context_.hold->now; }
  const ExecutionSettings& settings() const { return *context_.settings; }
  ShardSet& shards() { return *context_.shards; }
  runtime::FastRandom& random() { return context_.thread->random; }
  // The thread that runs it now, for the few that sample other shards on the way (INFO).
  Thread& thread() { return *context_.thread; }
  // For walks that need the node besides the shards (DEBUG).
  node::Node& node() { return *context_.node; }

  keyspace::Keyspace& space(std::size_t i) { return shards()[located(i).shard].keys(); }
  // Short forms on the i-th key in the caller's database.
  const keyspace::Entry* find(std::size_t i) { return space(i).find(hold(), db(), key(i)); }
  const keyspace::Entry* find_for_write(std::size_t i) {
    return space(i).find_for_write(hold(), db(), key(i));
  }
  const keyspace::Entry* peek(std::size_t i) { return space(i).peek(hold(), db(), key(i)); }

  // The i-th key's collection, opened for change: call.edit<keyspace::HashEdit>(0).
  template <class EditOfType>
  EditOfType edit(std::size_t i) {
    return EditOfType(space(i), hold(), db(), key(i));
  }

  // What happened to the i-th key, for `notify-keyspace-events`: in the words of Redis, in the
  // order of its events. What does not depend on the command the keyspace notes by itself.
  void notify(std::size_t i, keyspace::EventClass kind, std::string_view name) {
    hold().note(kind, name, db(), key(i).name);
  }

  // For walks: makes a Key of a name found while walking.
  keyspace::Key make_key(std::string_view name) const;

  template <class T>
  T& state() {  // made on first use, dies with the call
    if (!state_) state_ = std::make_unique<T>();
    return static_cast<T&>(*state_);
  }
  void drop_state();  // the handler is through; the hold is still there

  // --- what a handler asks for
  // Nothing was found under its keys: the call is to be run again when there is. Not in a
  // transaction, which is answered at once. Call::is_served says which run it is.
  void wait(WaitRequest request) {
    schedule_.wait = std::make_unique<WaitRequest>(std::move(request));
  }
  // It has waited, and is run again because its condition is met at one of its keys - by a
  // thread that may hold the tokens of some of them only. Other keys have nothing for it.
  bool is_served() const { return schedule_.runs_as == CallSchedule::RunsAs::waiter; }
  bool may_see(std::size_t i) const {
    return !is_served() || context_.hold->holds(located(i).shard);
  }
  // Whether the call is part of an EXEC (then it must finish under the tokens, at once).
  bool in_transaction() const {
    return schedule_.runs_as == CallSchedule::RunsAs::transaction ||
           schedule_.runs_as == CallSchedule::RunsAs::tied;
  }

  // Whether so many elements are too much to be done at once, by what the command declares and by
  // where the call runs now (shard/work_place.h). The handler then finishes without tokens: it has
  // pinned what it needs, or has done nothing yet.
  bool is_large(std::size_t size) const {
    return is_large_size(size) && work_place(size) != WorkPlace::here;
  }
  // The rest of the work after the tokens have been given back: for what is long and needs only
  // what the handler has pinned in state(). It answers the call. (In a transaction the tokens stay,
  // and the transaction goes on with `rest` on a slow thread.)
  void finish_without_tokens(Continuation rest);
  // For such a rest: takes the call's tokens again, and then runs `rest` under them (a STORE swaps
  // its result in). `takes_long`: it will work long under them, so calls that wait must retreat.
  void come_back_with_tokens(Continuation rest, bool takes_long);
  // The reply leaves later, when another thread calls Scheduler::finish_parked with the returned
  // call: that is this one, or the EXEC that runs it. Until then the other thread may write into
  // reply(), except in a transaction, where other commands follow. For commands of the connection
  // (on_node, on_session) that are not `fast`.
  Call& park();

  // --- for session and router
  void reset();  // makes ready for a new request; keeps allocations, the caller and the home
  void set_home(Thread& home, void (*finished)(Call&), void* owner) {
    home_.thread = &home;
    home_.finished = finished;
    home_.owner = owner;
  }
  void set_on_waiting(Waiter::OnReachable on_reachable, Waiter::OnWaiting on_waiting) {
    home_.on_reachable = on_reachable;
    home_.on_waiting = on_waiting;
  }
  void* owner() const { return home_.owner; }
  // Its keys are still to be found, when it begins.
  void locate_later(const KeyLocator& locator) { schedule_.locator = &locator; }
  void set_session(session::Session* session) { context_.session = session; }
  void set_node(node::Node* node) { context_.node = node; }
  std::size_t footprint() const { return sizeof(*this) + bytes(); }
  // Under `appendfsync always`: the reply may leave once the log is durable up to here.
  Lsn gate() const { return schedule_.gate; }

  // --- for the scheduler and its parts
  CallSchedule& schedule() { return schedule_; }
  const CallSchedule& schedule() const { return schedule_; }
  TokenTally& tokens() { return schedule_.tokens; }
  CallContext& context() { return context_; }
  const CallHome& home() const { return home_; }

 private:
  WorkPlace work_place(std::size_t size) const;

  std::unique_ptr<CallState> state_;
  CallContext context_;
  CallSchedule schedule_;
  CallHome home_;
};

// The size of requests whose work grows with the number of arguments, or of pairs of them.
std::size_t argument_count(const Call& call);
std::size_t pair_count(const Call& call);

// Runs the handler of a call whose tokens are all held, whatever its form, as part of `outer`
// (EXEC): same hold, same reply. Walks and all-shard commands run at once over all shards.
void run_inside(Call& outer, Call& inner);
// Likewise for a command that a script calls, whose caller is set: its reply goes into its own
// output. On a worker it may find out that it takes long, and has then done nothing
// (CallSchedule::rest).
void run_from_script(Call& script, ScriptScope& scope, Call& inner);
// Runs the handler of a call that has waited, under the hold of one that has what it waits for.
void run_waiter(Call& call, Thread& thread, keyspace::Hold& hold);

}  // namespace slotcar::shard
