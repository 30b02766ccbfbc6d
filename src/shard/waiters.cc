#include "shard/waiters.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "runtime/task.h"
#include "shard/call.h"
#include "shard/call_counting.h"
#include "shard/rights.h"
#include "shard/scheduler.h"
#include "shard/slot_check.h"

namespace slotcar::shard {

using keyspace::Hold;
using keyspace::WaitedKey;
using keyspace::WaitLink;

namespace {

constexpr std::string_view kTooManyWaiters =
    "ERR too many blocked clients (blocking-max-total-waiters)";
constexpr std::string_view kTooManyKeys =
    "ERR too many blocked clients: too many keys in one wait (blocking-max-keys-per-wait)";
constexpr std::string_view kTooManyAtKey =
    "ERR too many blocked clients at one key (blocking-max-waiters-per-key)";
constexpr std::string_view kUnblocked = "UNBLOCKED client unblocked via CLIENT UNBLOCK";
constexpr std::string_view kRoleChanged =
    "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)";

bool holds_all(const Hold& hold, const base::ShardList& needs) {
  return std::all_of(needs.begin(), needs.end(), [&](ShardId id) { return hold.holds(id); });
}

}  // namespace

// Serves the queue of `key`, or gives up the places of `waiter`.
struct Waiters::WaiterTask {
  Call call;
  WaitedKey* key = nullptr;
  std::shared_ptr<Waiter> waiter;
  Waiters* sender = nullptr;
  std::size_t place = 0;  // in tasks_
};

Waiters::Waiters(Scheduler& scheduler, ShardSet& shards, const ExecutionSettings& settings)
    : scheduler_(&scheduler),
      shards_(&shards),
      settings_(&settings),
      // Run under its tokens by Call::Continuation, so there is no handler.
      task_command_("(waiter task)", schema::on_keys(nullptr)) {}

// A place in a queue keeps its waiter, and the waiter its places. Those that the end of the node
// finds waiting (it was killed, and their connections were not closed) are taken apart here. No
// queue is looked at afterwards.
Waiters::~Waiters() {
  std::vector<WaitedKey*> keys;
  for (std::uint32_t i = 0; i < shards_->count(); ++i) {
    Shard& shard = (*shards_)[ShardId{static_cast<std::uint16_t>(i)}];
    if (!shard.used()) continue;
    for (std::uint32_t db = 0; db < shards_->shape().databases; ++db) {
      shard.keys().waited().signal_all(keys, DbIndex{static_cast<std::uint16_t>(db)});
    }
  }
  std::vector<std::shared_ptr<Waiter>> waiters;
  for (const WaitedKey* key : keys) {
    for (WaitLink* at = key->first; at != nullptr; at = at->next) {
      waiters.push_back(std::move(static_cast<Link&>(*at).owner));
    }
  }
}

// --- waiting -----------------------------------------------------------------------------------

bool Waiters::enlist(Thread& thread, Call& call) {
  const std::unique_ptr<WaitRequest> request = std::move(call.schedule().wait);
  const std::size_t keys = std::min(request->keys_waited_for, call.key_count());
  if (const std::string_view error = refusal(call, keys); !error.empty()) {
    call.reply().error(error);
    return false;
  }
  total_.fetch_add(1, std::memory_order_relaxed);
  // The bytes that came over the wire are the connection's and needed there.
  call.own_arguments();

  auto waiter = std::make_shared<Waiter>();
  waiter->call_ = &call;
  waiter->home_ = call.home().thread;
  waiter->owner_ = call.owner();
  waiter->on_reachable_ = call.home().on_reachable;
  waiter->on_waiting_ = call.home().on_waiting;
  waiter->condition_ = std::move(request->condition);
  waiter->timed_out_ = request->timed_out;
  if (request->timeout > 0) waiter->deadline_ = thread.clock->monotonic() + request->timeout;
  if (keys < call.key_count()) waiter->needs_ = call.needs();
  waiter->links_ = std::make_unique<Link[]>(keys);
  for (std::size_t i = 0; i < keys; ++i) {
    Link& link = waiter->links_[i];
    link.wants_end = request->wants_end;
    link.shard = call.located(i).shard;
    link.key = static_cast<std::uint32_t>(i);
  }
  waiter->link_count_ = keys;
  list(thread, waiter, call, keys);
  call.schedule().waiter = std::move(waiter);
  thread.waiting.waits.add(1);
  return true;
}

std::string_view Waiters::refusal(Call& call, std::size_t keys) {
  const BlockingSettings& settings = settings_->blocking;
  if (static_cast<std::int64_t>(keys) > settings.keys_per_wait_max.get()) return kTooManyKeys;
  if (total() >= settings.waiters_max.get()) return kTooManyWaiters;
  const std::int64_t most = settings.waiters_per_key_max.get();
  for (std::size_t i = 0; i < keys; ++i) {
    const WaitedKey* key = call.space(i).waited().find(call.db(), call.key(i));
    if (key != nullptr && static_cast<std::int64_t>(key->count) >= most) return kTooManyAtKey;
  }
  return {};
}

void Waiters::list(Thread& thread, const std::shared_ptr<Waiter>& waiter, Call& call,
                   std::size_t keys) {
  for (std::size_t i = 0; i < keys; ++i) {
    Link& link = waiter->links_[i];
    keyspace::WaitedKeys& waited = call.space(i).waited();
    const std::size_t known = waited.size();
    WaitedKey& key = waited.make(call.db(), call.key(i));
    if (waited.size() != known) thread.waiting.keys.add(1);
    const auto* last = static_cast<const Link*>(key.last);
    if (last != nullptr && last->owner == waiter) continue;  // the key was named before
    if (link.wants_end && key.wanting_end == 0) thread.waiting.keys_wanting_end.add(1);
    link.owner = waiter;
    key.append(link);
  }
}

// From here on the call belongs to the thread that claims it; only the waiter may be looked at.
void Waiters::make_reachable(Thread& thread, const std::shared_ptr<Waiter>& waiter) {
  if (!waiter->on_reachable_(waiter->owner_, waiter)) end(thread, waiter, WaitEnd::abandoned);
}

void Waiters::notify_home(Thread& thread, const std::shared_ptr<Waiter>& waiter) {
  const auto notify = [](const std::shared_ptr<Waiter>& one) {
    // Served or ended before this message arrived: the call is on its way home, or was there.
    if (!one->is_claimed()) one->on_waiting_(one->owner_, one);
  };
  if (&thread == waiter->home_) return notify(waiter);
  waiter->home_->runner->post(runtime::make_task([notify, waiter] { notify(waiter); }));
}

// --- serving -----------------------------------------------------------------------------------

void Waiters::serve(Thread& thread, Hold& hold) {
  // Serving may signal more keys (BLMOVE's destination): they are put at the end of the list. What
  // the batch does not reach is left due.
  auto batch = static_cast<std::size_t>(settings_->blocking.wakeup_batch.get());
  for (std::size_t i = 0; i < thread.signals.size(); ++i) {
    WaitedKey& key = *thread.signals[i];
    key.signalled = false;
    serve_key(thread, hold, key, batch);
    drop_unused(thread, shard_of(key), key);
  }
  thread.signals.clear();
}

// From the front of the queue to its end. A waiter with several keys may take from another one, so
// those before it there go first, and those before them: the queues that are being walked are kept
// in a list, not on the stack, for clients decide how many there are.
void Waiters::serve_key(Thread& thread, Hold& hold, WaitedKey& key, std::size_t& batch) {
  std::vector<Walk> walks;
  walks.push_back({.key = &key, .at = key.first});
  std::shared_ptr<Waiter> stuck;  // the waiter at which the last walk had to stop
  while (!walks.empty()) {
    Walk& walk = walks.back();
    if (stuck != nullptr && walk.waiter != nullptr) {
      // It might take what that one is due: both are served by one task.
      base::ShardList needs = stuck->needs_;
      for (const Link& one : walk.waiter->links()) needs.add(one.shard);
      leave_due(thread, *walk.waiter->home_, *walk.key, std::move(needs));
      stuck = walk.waiter;
      walks.pop_back();
      continue;
    }
    if (walk.waiter != nullptr) {
      if (Link* other = next_queue_before(walk, hold)) {
        walks.push_back({.key = other->at, .at = other->at->first, .until = other});
      } else {
        claim_and_answer(thread, hold, walk, batch);
      }
      continue;
    }
    if (walk.at == walk.until || !look_at_next(thread, hold, walk, batch, stuck)) {
      if (stuck == nullptr && walk.until == nullptr) set_due(*walk.key, false);
      walks.pop_back();
    }
  }
}

// False: the walk is over, because nothing is left under the key, or it is stuck at a waiter that
// is left to a task.
bool Waiters::look_at_next(Thread& thread, Hold& hold, Walk& walk, std::size_t batch,
                           std::shared_ptr<Waiter>& stuck) {
  WaitedKey& key = *walk.key;
  Link& link = static_cast<Link&>(*walk.at);
  walk.at = walk.at->next;
  const std::shared_ptr<Waiter> waiter = link.owner;
  if (waiter->is_claimed()) {
    take_out(thread, link);
    look_whether_unused(thread, key);
    return true;
  }
  const keyspace::Entry* entry = (*shards_)[shard_of(key)].keys().peek(hold, key.db, key.key());
  if (entry == nullptr && key.wanting_end == 0) return false;
  if (!waiter->condition_->met(entry, link.key)) return true;
  const bool has_all = holds_all(hold, waiter->needs_);
  if (!has_all || batch == 0) {
    const base::ShardList own{shard_of(key)};
    leave_due(thread, *waiter->home_, key, has_all ? own : waiter->needs_);
    stuck = waiter;
    return false;
  }
  walk.waiter = waiter;
  walk.link = &link;
  walk.others_seen = 0;
  return true;
}

// The place of the walk's waiter in a queue, of another key at hand, where it is not the first.
Waiters::Link* Waiters::next_queue_before(Walk& walk, const Hold& hold) {
  const std::span<Link> links = walk.waiter->links();
  while (walk.others_seen < links.size()) {
    Link& link = links[walk.others_seen++];
    if (!hold.holds(link.shard) || link.at == nullptr || link.at == walk.key) continue;
    if (link.previous != nullptr) return &link;
  }
  return nullptr;
}

void Waiters::claim_and_answer(Thread& thread, Hold& hold, Walk& walk, std::size_t& batch) {
  const std::shared_ptr<Waiter> waiter = std::exchange(walk.waiter, nullptr);
  WaitedKey& key = *walk.key;
  if (waiter->link_count_ > 1) {
    // Those before it may have taken everything.
    keyspace::Keyspace& space = (*shards_)[shard_of(key)].keys();
    if (!waiter->condition_->met(space.peek(hold, key.db, key.key()), walk.link->key)) return;
    if (batch == 0) {
      // They have used up the batch, and it is looked at again, to be left due.
      walk.at = walk.link;
      return;
    }
  }
  if (!waiter->claim()) {
    thread.waiting.claims_lost.add(1);
    take_out(thread, *walk.link);
    look_whether_unused(thread, key);
    return;
  }
  --batch;
  answer(thread, hold, waiter);
}

void Waiters::answer(Thread& thread, Hold& hold, const std::shared_ptr<Waiter>& waiter) {
  Call& call = *waiter->call_;
  // If its user may not have what it waited for any more, or the slot is another node's, that
  // stays for the next waiter.
  const SlotCheck* slots = settings_->slots;
  if (!refuse_outdated(thread, call) && (slots == nullptr || !slots->refuse_waiter(thread, call))) {
    run_waiter(call, thread, hold);
    // What it was shown may have been written under another hold and not be durable yet.
    scheduler_->holds().find_gate(call, hold);
    call.context().hold = nullptr;
    call.schedule().runs_as = CallSchedule::RunsAs::itself;
    count_errors(thread, call);
  }
  thread.waiting.served.add(1);
  total_.fetch_sub(1, std::memory_order_relaxed);
  leave(thread, hold, waiter);
  thread.served.push(call);
}

Shard* Waiters::finish_hand_overs(Thread& thread, Hold& hold, const Call& call) {
  if (&call.command() == &task_command_.registered())
    return nullptr;  // it comes to do so, a batch at a time
  // Nor does the snapshot's thread, which takes nothing: what they are due stays there for them.
  if (thread.duty == Duty::own_calls) return nullptr;
  const auto is_named = [&](const WaitedKey& key) {
    if (call.key_count() == 0) return true;
    for (std::size_t i = 0; i < call.key_count(); ++i) {
      if (call.key(i).hash == key.hash && call.key(i).name == key.name) return true;
    }
    return false;
  };
  const auto some_due = [&]() -> Shard* {
    for (const ShardId id : call.needs()) {
      Shard& shard = (*shards_)[id];
      if (shard.pending_handoffs == 0) continue;
      const auto& due = shard.keys().waited().due();
      if (std::any_of(due.begin(), due.end(), [&](WaitedKey* key) { return is_named(*key); })) {
        return &shard;
      }
    }
    return nullptr;
  };
  if (!log_admits()) {
    const bool reads = schema::has(call.declaration().access, schema::Access::readonly);
    return reads ? nullptr : some_due();
  }
  for (const ShardId id : call.needs()) {
    if ((*shards_)[id].pending_handoffs == 0) continue;
    const std::vector<WaitedKey*> due = (*shards_)[id].keys().waited().due();
    for (WaitedKey* key : due) {
      if (!is_named(*key) || key->signalled) continue;
      key->signalled = true;
      thread.signals.push_back(key);
    }
  }
  serve(thread, hold);
  return some_due();
}

// --- the end of a wait -------------------------------------------------------------------------

bool Waiters::end(Thread& thread, const std::shared_ptr<Waiter>& waiter, WaitEnd why) {
  if (!waiter->claim()) {
    thread.waiting.claims_lost.add(1);
    return false;
  }
  Call& call = *waiter->call_;
  switch (why) {
    case WaitEnd::timeout:
      if (waiter->timed_out_ != nullptr) {
        waiter->timed_out_(call);
      } else {
        call.reply().null_array();
      }
      break;
    case WaitEnd::unblocked:
      call.reply().error(kUnblocked);
      break;
    case WaitEnd::role_changed:
      call.reply().error(kRoleChanged);
      break;
    case WaitEnd::abandoned:
      break;
    case WaitEnd::slot_moved:
      settings_->slots->answer_moved(call);
      break;
  }
  count_errors(thread, call);
  total_.fetch_sub(1, std::memory_order_relaxed);
  Thread& home = *waiter->home_;
  scheduler_->send_home(call);
  base::ShardList needs;
  for (const Link& link : waiter->links()) needs.add(link.shard);
  WaiterTask& task = make_task(home, std::move(needs));
  task.waiter = waiter;
  // Not run here: the thread that ends a wait may be in the middle of something.
  scheduler_->post_to(home, task.call);
  return true;
}

// Gives up the places of a claimed waiter: now in the shards that are held, soon in the others.
void Waiters::leave(Thread& thread, const Hold& hold, const std::shared_ptr<Waiter>& waiter) {
  base::ShardList others;
  for (Link& link : waiter->links()) {
    if (!hold.holds(link.shard)) {
      others.add(link.shard);
      continue;
    }
    WaitedKey* key = link.at;
    if (key == nullptr) continue;
    take_out(thread, link);
    look_whether_unused(thread, *key);
  }
  if (others.empty()) return;
  WaiterTask& task = make_task(*waiter->home_, std::move(others));
  task.waiter = waiter;
  thread.ready.push(task.call);
}

// The caller has a reference to the waiter, or does not touch the link any more.
void Waiters::take_out(Thread& thread, Link& link) {
  if (link.wants_end && link.at->wanting_end == 1) thread.waiting.keys_wanting_end.add(-1);
  link.at->take_out(link);
  link.owner.reset();
}

// A key without waiters is dropped by the thread that works off the list: it may be the one being
// served.
void Waiters::look_whether_unused(Thread& thread, WaitedKey& key) {
  if (key.count != 0 || key.signalled) return;
  key.signalled = true;
  thread.signals.push_back(&key);
}

void Waiters::drop_unused(Thread& thread, ShardId shard, WaitedKey& key) {
  if ((*shards_)[shard].keys().waited().drop_unused(key)) thread.waiting.keys.add(-1);
}

void Waiters::set_due(WaitedKey& key, bool due) {
  if (key.due == due) return;
  Shard& shard = (*shards_)[shard_of(key)];
  shard.keys().waited().set_due(key, due);
  shard.pending_handoffs += due ? 1 : -1;
}

// --- waiter tasks ------------------------------------------------------------------------------

Waiters::WaiterTask& Waiters::make_task(Thread& home, base::ShardList needs) {
  auto made = std::make_unique<WaiterTask>();
  WaiterTask& task = *made;
  task.sender = this;
  Call& call = task.call;
  scheduler_->prepare_internal(call, task_command_, &Waiters::run_task);
  call.set_home(home, &Waiters::task_ended, &task);
  call.needs() = std::move(needs);
  std::lock_guard lock(mutex_);
  task.place = tasks_.size();
  tasks_.push_back(std::move(made));
  return task;
}

// What could not be served here is due, and a waiter task goes on with it.
void Waiters::leave_due(Thread& thread, Thread& home, WaitedKey& key, base::ShardList needs) {
  set_due(key, true);
  if (key.task_pending) return;  // one is on its way; it will find what it lacks
  key.task_pending = true;
  WaiterTask& task = make_task(home, std::move(needs));
  task.key = &key;
  thread.waiting.waiter_tasks.add(1);
  thread.ready.push(task.call);
}

void Waiters::run_task(Call& call) {
  WaiterTask& task = *static_cast<WaiterTask*>(call.owner());
  if (task.key != nullptr) return serve_from_task(call, *task.key);
  for (Link& link : task.waiter->links()) {
    if (!call.hold().holds(link.shard) || link.at == nullptr) continue;
    WaitedKey* key = link.at;
    take_out(call.thread(), link);
    task.sender->drop_unused(call.thread(), link.shard, *key);
  }
}

void Waiters::serve_from_task(Call& call, WaitedKey& key) {
  Waiters& self = *static_cast<WaiterTask*>(call.owner())->sender;
  Thread& thread = call.thread();
  if (!self.log_admits()) {
    thread.waiting.tasks_waiting_for_log.add(1);
    return self.wait_for_log_space(*call.home().thread, key, call.needs());
  }
  key.task_pending = false;
  // It is served with all that was signalled in this hold, at its end.
  if (!key.signalled) {
    key.signalled = true;
    thread.signals.push_back(&key);
  }
  // They run when this hold has ended, and are held up again if not all could be served.
  CallList& deferred_calls = (*self.shards_)[self.shard_of(key)].deferred_calls;
  while (Call* one = deferred_calls.pop()) thread.ready.push(*one);
}

bool Waiters::log_admits() const {
  const storage::Log* log = scheduler_->log();
  return log == nullptr || log->admits();
}

// The waiter task ends; another is sent when the log has room.
void Waiters::wait_for_log_space(Thread& home, WaitedKey& key, base::ShardList needs) {
  {
    std::lock_guard lock(mutex_);
    waiting_for_log_space_.push_back({&home, &key, std::move(needs)});
    any_waits_for_log_space_.store(true, std::memory_order_seq_cst);
  }
  // First in the list, then one look more: whichever comes later, we or the log, sees the other.
  if (log_admits()) log_advanced();
}

void Waiters::log_advanced() {
  if (!any_waits_for_log_space_.load(std::memory_order_seq_cst) || !log_admits()) return;
  std::vector<WaitsForLogSpace> admitted;
  {
    std::lock_guard lock(mutex_);
    admitted.swap(waiting_for_log_space_);
    any_waits_for_log_space_.store(false, std::memory_order_seq_cst);
  }
  for (WaitsForLogSpace& one : admitted) {
    WaiterTask& task = make_task(*one.home, std::move(one.needs));
    task.key = one.key;
    scheduler_->post_to(*one.home, task.call);
  }
}

void Waiters::task_ended(Call& call) {
  WaiterTask& task = *static_cast<WaiterTask*>(call.owner());
  Waiters& self = *task.sender;
  std::unique_ptr<WaiterTask> ended;
  std::lock_guard lock(self.mutex_);
  std::swap(self.tasks_[task.place], self.tasks_.back());
  self.tasks_[task.place]->place = task.place;
  ended = std::move(self.tasks_.back());
  self.tasks_.pop_back();
}

}  // namespace slotcar::shard
