// Call: one command invocation. It owns its arguments, located keys and reply, and a copy of what
// it needs of the session, so it can run on any thread. Handlers see a Call and nothing else of the
// connection.
//
// Life: filled by the session and the router; started by the scheduler; run by whichever thread
// holds all its tokens; finished on its home runner. At each moment one thread owns it: the one
// that runs it, or the queue that it stands in.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "keyspace/key.h"
#include "keyspace/keyspace.h"
#include "resp/arguments.h"
#include "resp/reply_writer.h"
#include "runtime/output.h"
#include "runtime/task.h"
#include "schema/key_spec.h"
#include "schema/registry.h"
#include "shard/moved_hold.h"
#include "shard/shard.h"
#include "shard/slow_calls.h"
#include "shard/thread.h"
#include "shard/waiter.h"
#include "shard/work_place.h"

namespace slotcar::shard {

class Scheduler;
class Transaction;

// The copy of what a call needs of its session.
struct Caller {
  ClientId client;
  DbIndex db;
  resp::Protocol protocol = resp::Protocol::resp2;
  bool no_touch = false;
  bool in_multi = false;  // MULTI is open; commands that run at once inside it look here
  // The keys that the call reads are remembered for it (CLIENT TRACKING). Owned by the session.
  keyspace::Tracker* tracker = nullptr;
};

struct LocatedKey {
  keyspace::Key key;
  ShardId shard;
  std::uint32_t argument = 0;
  schema::KeyUse use = schema::KeyUse::none;
};

// Bounds on calls that wait for keys.
struct BlockingSettings {
  std::atomic<std::int64_t> waiters_per_key_max{limits::kWaitersPerKeyMaxDefault};
  std::atomic<std::int64_t> waiters_max{limits::kWaitersMaxDefault};
  std::atomic<std::int64_t> keys_per_wait_max{limits::kKeysPerWaitMaxDefault};
  std::atomic<std::int64_t> wakeup_batch{limits::kWakeupBatchDefault};
};

// Settings that handlers and the scheduler read; CONFIG SET stores into them.
struct ExecutionSettings {
  std::atomic<std::int64_t> bulk_bytes_max{static_cast<std::int64_t>(limits::kBulkBytesMaxDefault)};
  std::atomic<bool> lazyfree_user_flush{false};
  std::atomic<bool> latency_tracking{true};
  keyspace::KeyspaceSettings keyspace;
  BlockingSettings blocking;
  // Calls that take this long are noted, if there is anybody to note them
  // (slowlog-log-slower-than).
  std::atomic<std::uint64_t> slow_call_cycles{UINT64_MAX};
  SlowCalls* slow_calls = nullptr;
  // Whether DUMP packs long strings (rdbcompression, a setting of the snapshots); null: it does.
  const std::atomic<bool>* packs_dumps = nullptr;
};

// State that a handler keeps between the visits of a walk, or for its continuation.
struct CallState {
  virtual ~CallState() = default;
  // The handler is through. What it pinned may have no other holder left, and to free it is not for
  // the worker to whom the call goes home. The reclaimer may be null.
  virtual void let_go(base::Reclaimer*) {}
};

// Finds the keys of a call later than the router: hashing a million names is no work for a worker.
class KeyLocator {
 public:
  virtual void locate_keys(Call& call) const = 0;

 protected:
  ~KeyLocator() = default;
};

class Call : public runtime::Task, public Queued {
 public:
  Call();
  ~Call();

  // --- for handlers
  // -------------------------------------------------------------------------------
  const schema::Registered& command() const { return *command_; }
  schema::ArgSpan args() const { return {arguments_.views()}; }
  std::size_t size() const { return arguments_.size(); }
  std::string_view arg(std::size_t i) const { return arguments_[i]; }
  types::StringInput string_arg(std::size_t i) const {
    return {arguments_[i], arguments_.shared(i)};
  }
  const Caller& caller() const { return caller_; }
  DbIndex db() const { return caller_.db; }
  resp::ReplyWriter& reply() { return reply_; }
  // Nobody will get its reply, and it changes nothing: it may end wherever it is.
  bool may_give_up() const {
    return reply_.abandoned() && has(command_->command->access, schema::Access::readonly);
  }
  keyspace::Hold& hold() { return *hold_; }
  UnixMs now() const { return hold_->now; }
  const ExecutionSettings& settings() const { return *settings_; }
  ShardSet& shards() { return *shards_; }
  runtime::FastRandom& random() { return thread_->random; }
  // The thread that runs it now, for the few that sample other shards on the way (INFO).
  Thread& thread() { return *thread_; }
  // For walks that need the node besides the shards (DEBUG).
  node::Node& node() { return *node_; }

  std::size_t key_count() const { return keys_.size(); }
  const keyspace::Key& key(std::size_t i) const { return keys_[i].key; }
  const LocatedKey& located(std::size_t i) const { return keys_[i]; }
  keyspace::Keyspace& space(std::size_t i) { return (*shards_)[keys_[i].shard].keys(); }

  // Short forms on the i-th key in the caller's database.
  const keyspace::Entry* find(std::size_t i) { return space(i).find(*hold_, db(), key(i)); }
  const keyspace::Entry* find_for_write(std::size_t i) {
    return space(i).find_for_write(*hold_, db(), key(i));
  }
  const keyspace::Entry* peek(std::size_t i) { return space(i).peek(*hold_, db(), key(i)); }

  // The i-th key's collection, opened for change: call.edit<keyspace::HashEdit>(0).
  template <class EditOfType>
  EditOfType edit(std::size_t i) {
    return EditOfType(space(i), *hold_, db(), key(i));
  }

  // What happened to the i-th key, for `notify-keyspace-events`: in the words of Redis, in the
  // order of its events. What does not depend on the command the keyspace notes by itself.
  void notify(std::size_t i, keyspace::EventClass kind, std::string_view name) {
    hold_->note(kind, name, db(), key(i).name);
  }

  // For walks: makes a Key of a name found while walking.
  keyspace::Key make_key(std::string_view name) const;

  // Nothing was found under its keys: the call is to be run again when there is. Not in a
  // transaction, which is answered at once. Call::is_served tells the runs apart.
  void wait(WaitRequest request) { wait_ = std::make_unique<WaitRequest>(std::move(request)); }
  // It has waited, and is run again because its condition is met at one of its keys - by somebody
  // who may hold the tokens of some of them only. Keys that it may not see have nothing for it.
  bool is_served() const { return !served_with_.empty(); }
  bool may_see(std::size_t i) const {
    return served_with_.empty() ||
           std::binary_search(served_with_.begin(), served_with_.end(), keys_[i].shard);
  }

  // Whether the call is part of an EXEC (then it must finish under the tokens, at once).
  bool in_transaction() const { return in_transaction_; }
  // How long it has run so far, wherever; without its waiting for tokens.
  std::uint64_t cycles() const { return cycles_; }
  // EXEC's own queue, WATCH's set: null elsewhere.
  Transaction* transaction() const { return transaction_; }

  template <class T>
  T& state() {  // made on first use, dies with the call
    if (!state_) state_ = std::make_unique<T>();
    return static_cast<T&>(*state_);
  }

  void drop_state();  // the handler is through; the hold is still there

  // Whether so many elements are too much to be done at once, by what the command declares and by
  // where the call runs now (shard/work_place.h). The handler then finishes without tokens: it has
  // pinned what it needs, or has done nothing yet.
  bool is_large(std::size_t size) const {
    return is_large_size(size) && work_place(size) != WorkPlace::here;
  }
  // The rest of the work after the tokens have been given back: for what is long and needs only
  // what the handler has pinned in state(). It answers the call. (In a transaction the tokens stay,
  // and the transaction goes on with `rest` on a slow thread.)
  using Continuation = void (*)(Call&);
  void finish_without_tokens(Continuation rest);
  // For such a rest: takes the call's tokens again, and then runs `rest` under them (a STORE swaps
  // its result in). `takes_long`: it will work long under them, so whoever waits must retreat.
  void come_back_with_tokens(Continuation rest, bool takes_long);

  // The answer comes later, from another thread that the handler has told of this call: it writes
  // into reply() and then calls Scheduler::finish_parked. For commands of the form on_node alone;
  // not in a transaction.
  void park();

  // --- for session, router and scheduler
  // ------------------------------------------------------------ Makes ready for a new request;
  // keeps allocations.
  void reset();
  resp::Arguments& arguments() { return arguments_; }
  const resp::Arguments& arguments() const { return arguments_; }
  // Copies the arguments into memory of its own (MULTI's queue outlives the input buffer).
  void own_arguments();
  void set_command(const schema::Registered& command) { command_ = &command; }
  bool has_command() const { return command_ != nullptr; }
  void set_caller(const Caller& caller) { caller_ = caller; }
  std::vector<LocatedKey>& keys() { return keys_; }
  std::vector<ShardId>& needs() { return needs_; }  // ascending, each once
  const std::vector<ShardId>& needs() const { return needs_; }
  void needs_all_shards(std::uint32_t count);
  void set_transaction(Transaction* transaction) { transaction_ = transaction; }
  // Where the reply goes. By default into the call's own output, which its home splices later.
  void answer_into(runtime::Output& output) {
    reply_ = resp::ReplyWriter(output, caller_.protocol);
  }
  runtime::Output& own_output() { return own_output_; }
  // Whom the call comes home to: `finished` runs on `home` when it was not finished on the spot.
  void set_home(Thread& home, void (*finished)(Call&), void* owner) {
    home_ = &home;
    finished_ = finished;
    owner_ = owner;
  }
  // Where its waiter can be found once it waits, and what is called at home then.
  void set_on_waiting(Waiter::OnReachable on_reachable, Waiter::OnWaiting on_waiting) {
    on_reachable_ = on_reachable;
    on_waiting_ = on_waiting;
  }
  bool has_waited() const { return waiter_ != nullptr; }
  void* owner() const { return owner_; }
  // Its keys are still to be found, when it begins.
  void locate_later(const KeyLocator& locator) { locator_ = &locator; }
  void set_session(session::Session* session) { session_ = session; }
  void set_node(node::Node* node) { node_ = node; }
  // SELECT inside a transaction: the commands after it see the new database.
  void set_db(DbIndex db) { caller_.db = db; }
  // HELLO: this reply and, inside a transaction, those after it.
  void set_protocol(resp::Protocol protocol) {
    caller_.protocol = protocol;
    reply_.set_protocol(protocol);
  }
  // CLIENT TRACKING and CLIENT CACHING inside a transaction: for the commands after it.
  void set_tracker(keyspace::Tracker* tracker) { caller_.tracker = tracker; }
  std::size_t footprint() const;
  // Under `appendfsync always`: the reply may leave once the log is durable up to here.
  Lsn gate() const { return gate_; }

 private:
  friend class Scheduler;
  friend class SlowLane;
  friend class Transaction;
  friend class Waiters;
  friend class WatchRemovals;
  friend void run_inside(Call& outer, Call& inner);
  // After its reads, under the tokens: whoever tracks them will hear of the next change.
  void remember_reads();
  WorkPlace work_place(std::size_t size) const;

  const schema::Registered* command_ = nullptr;
  resp::Arguments arguments_;
  std::vector<LocatedKey> keys_;
  std::vector<ShardId> needs_;
  Caller caller_;
  runtime::Output own_output_;
  resp::ReplyWriter reply_{own_output_, resp::Protocol::resp2};
  std::string owned_bytes_;
  std::unique_ptr<CallState> state_;
  Continuation continuation_ = nullptr;
  Continuation under_tokens_ = nullptr;  // runs in place of the handler: it has run already
  Transaction* transaction_ = nullptr;
  const KeyLocator* locator_ = nullptr;  // finds its keys when it begins

  // Set while it runs.
  keyspace::Hold* hold_ = nullptr;
  Thread* thread_ = nullptr;
  ShardSet* shards_ = nullptr;
  const ExecutionSettings* settings_ = nullptr;
  session::Session* session_ = nullptr;
  node::Node* node_ = nullptr;

  // Scheduling.
  Scheduler* scheduler_ = nullptr;
  Thread* home_ = nullptr;
  Thread* goes_on_ = nullptr;  // the thread that a posted call goes on with
  void (*finished_)(Call&) = nullptr;
  void* owner_ = nullptr;
  Waiter::OnReachable on_reachable_ = nullptr;
  Waiter::OnWaiting on_waiting_ = nullptr;
  std::unique_ptr<WaitRequest> wait_;     // asked for by the handler
  std::shared_ptr<Waiter> waiter_;        // it stands in the queues of its keys
  std::span<const ShardId> served_with_;  // while it is run again: the tokens held
  std::uint32_t held_ = 0;                // needs_[0..held_) are held
  std::uint8_t retreats_ = 0;
  std::uint8_t slow_tries_ = 0;
  bool returner_ = false;      // queued without wanting the token: starts again when its turn comes
  bool on_the_spot_ = false;   // its starter waits on this very stack for the outcome
  bool wants_slow_ = false;    // it works long under its tokens: on a slow thread only
  bool begins_later_ = false;  // it has not begun: it is queued for a slow thread
  bool has_thread_ = false;    // a slow thread is kept for it while it queues for tokens
  bool in_transaction_ = false;
  bool may_move_ = false;  // in a transaction that can go on on a slow thread
  // An EXEC that must go on on another thread, with its tokens and what it has done so far.
  enum class Move : std::uint8_t { no, to_slow_thread, home } move_ = Move::no;
  std::unique_ptr<MovedHold> moved_hold_;
  bool has_run_ = false;  // only its tokens remain to be given back
  Lsn gate_{0};
  // How far a parked call is. Its handler's thread and the one that answers meet here: whoever
  // comes second sends it home.
  enum class Parked : std::uint8_t { no, answer_pending, one_is_done };
  std::atomic<Parked> parked_{Parked::no};
  std::uint64_t cycles_ = 0;
};

// The size of requests whose work grows with the number of arguments, or of pairs of them.
std::size_t argument_count(const Call& call);
std::size_t pair_count(const Call& call);

// Runs the handler of a call whose tokens are all held, whatever its form, as part of `outer`
// (EXEC): same hold, same reply. Walks and all-shard commands run at once over all shards.
void run_inside(Call& outer, Call& inner);

}  // namespace slotcar::shard
