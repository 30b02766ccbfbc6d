#include "shard/waiters.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "runtime/task.h"
#include "shard/call.h"
#include "shard/scheduler.h"

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

// Errands are run under their tokens in place of a handler, and are counted nowhere.
constinit const schema::Command kErrand{.name = "(errand)",
                                        .summary = "Serves waiters.",
                                        .since = "0",
                                        .group = schema::Group::generic,
                                        .arity = schema::exactly(0),
                                        .runs = schema::on_keys(nullptr)};

bool holds(Waiters::Held held, ShardId shard) {
  return std::binary_search(held.begin(), held.end(), shard);
}

bool holds_all(Waiters::Held held, const std::vector<ShardId>& needs) {
  return std::all_of(needs.begin(), needs.end(), [&](ShardId id) { return holds(held, id); });
}

}  // namespace

// Serves the queue of `key`, or gives up the places of `waiter`.
struct Waiters::Errand {
  Call call;
  WaitedKey* key = nullptr;
  std::shared_ptr<Waiter> waiter;
  Waiters* sender = nullptr;
  std::size_t place = 0;  // in errands_
};

Waiters::Waiters(Scheduler& scheduler, ShardSet& shards, const ExecutionSettings& settings)
    : scheduler_(&scheduler), shards_(&shards), settings_(&settings) {
  errand_command_.command = &kErrand;
  errand_command_.lower_name = kErrand.name;
}

Waiters::~Waiters() = default;

// --- waiting -----------------------------------------------------------------------------------

bool Waiters::enlist(Thread& thread, Call& call) {
  const std::unique_ptr<WaitRequest> request = std::move(call.wait_);
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
  waiter->home_ = call.home_;
  waiter->owner_ = call.owner_;
  waiter->told_ = call.told_;
  waiter->condition_ = std::move(request->condition);
  waiter->timed_out_ = request->timed_out;
  if (request->timeout > 0) waiter->deadline_ = thread.clock->monotonic() + request->timeout;
  if (keys < call.key_count()) waiter->needs_ = call.needs_;
  waiter->links_ = std::make_unique<Link[]>(keys);
  for (std::size_t i = 0; i < keys; ++i) {
    Link& link = waiter->links_[i];
    link.wants_end = request->wants_end;
    link.shard = call.located(i).shard;
    link.key = static_cast<std::uint32_t>(i);
  }
  waiter->link_count_ = keys;
  list(thread, waiter, call, keys);
  call.waiter_ = std::move(waiter);
  thread.waiting.waits.add(1);
  return true;
}

std::string_view Waiters::refusal(Call& call, std::size_t keys) {
  const BlockingSettings& settings = settings_->blocking;
  if (static_cast<std::int64_t>(keys) > settings.keys_per_wait_max.load()) return kTooManyKeys;
  if (total() >= settings.waiters_max.load()) return kTooManyWaiters;
  const std::int64_t most = settings.waiters_per_key_max.load();
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

// From here on the call is whoever's claims it; only the waiter may be looked at.
void Waiters::tell_home(Thread& thread, const std::shared_ptr<Waiter>& waiter) {
  const auto tell = [](const std::shared_ptr<Waiter>& one) {
    // Served or ended before this was heard: the call is on its way home, or was there.
    if (!one->is_claimed()) one->told_(one->owner_, one);
  };
  if (&thread == waiter->home_) return tell(waiter);
  waiter->home_->runner->post(runtime::make_task([tell, waiter] { tell(waiter); }));
}

// --- serving -----------------------------------------------------------------------------------

void Waiters::serve(Thread& thread, Hold& hold, Held held) {
  const auto batch = static_cast<std::size_t>(settings_->blocking.wakeup_batch.load());
  work_off(thread, hold, held, batch);
}

// Serving may signal more keys (BLMOVE's destination): they are put at the end of the list.
void Waiters::work_off(Thread& thread, Hold& hold, Held held, std::size_t batch) {
  for (std::size_t i = 0; i < thread.signals.size(); ++i) {
    WaitedKey& key = *thread.signals[i];
    key.signalled = false;
    serve_key(thread, hold, held, key, batch);
    drop_unused(thread, shard_of(key), key);
  }
  thread.signals.clear();
}

// From the front of the queue to its end, or to `until`.
std::shared_ptr<Waiter> Waiters::serve_key(Thread& thread, Hold& hold, Held held, WaitedKey& key,
                                           std::size_t batch, const WaitLink* until) {
  keyspace::Keyspace& space = (*shards_)[shard_of(key)].keys();
  for (WaitLink* at = key.first; at != until;) {
    Link& link = static_cast<Link&>(*at);
    at = at->next;
    const std::shared_ptr<Waiter> waiter = link.owner;
    if (waiter->is_claimed()) {
      take_out(thread, link);
      continue;
    }
    const keyspace::Entry* entry = space.peek(hold, key.db, key.key());
    if (entry == nullptr && key.wanting_end == 0) break;
    if (!waiter->condition_->met(entry, link.key)) continue;
    if (!holds_all(held, waiter->needs_)) {
      leave_due(thread, *waiter->home_, key, waiter->needs_);
      return waiter;
    }
    if (batch-- == 0) {
      leave_due(thread, *waiter->home_, key, {shard_of(key)});
      return waiter;
    }
    if (waiter->link_count_ > 1) {
      if (const auto older = serve_those_before(thread, hold, held, *waiter, key)) {
        // It might take what that one is due: both are served by one errand.
        std::vector<ShardId> needs = older->needs_;
        for (const Link& one : waiter->links()) needs.push_back(one.shard);
        leave_due(thread, *waiter->home_, key, std::move(needs));
        return waiter;
      }
      if (!waiter->condition_->met(space.peek(hold, key.db, key.key()), link.key)) continue;
    }
    if (!waiter->claim()) {
      thread.waiting.claims_lost.add(1);
      take_out(thread, link);
      continue;
    }
    answer(thread, hold, held, waiter);
  }
  if (until == nullptr) set_due(key, false);
  return nullptr;
}

std::shared_ptr<Waiter> Waiters::serve_those_before(Thread& thread, Hold& hold, Held held,
                                                    Waiter& waiter, const WaitedKey& at) {
  for (const Link& link : waiter.links()) {
    if (!holds(held, link.shard) || link.at == nullptr || link.at == &at) continue;
    if (link.previous == nullptr) continue;
    if (auto older = serve_key(thread, hold, held, *link.at, SIZE_MAX, &link)) return older;
  }
  return nullptr;
}

void Waiters::answer(Thread& thread, Hold& hold, Held held, const std::shared_ptr<Waiter>& waiter) {
  Call& call = *waiter->call_;
  call.hold_ = &hold;
  call.thread_ = &thread;
  call.served_with_ = held;
  call.command_->command->runs.keys(call);
  ASSERT(call.wait_ == nullptr);  // its condition was met
  if (call.caller_.tracker != nullptr) call.remember_reads();
  call.hold_ = nullptr;
  call.served_with_ = {};
  Scheduler::count_errors(thread, call);
  thread.waiting.served.add(1);
  total_.fetch_sub(1, std::memory_order_relaxed);
  leave(thread, waiter, held);
  thread.served.push(call);
}

Shard* Waiters::finish_hand_overs(Thread& thread, Hold& hold, const Call& call) {
  if (call.command_ == &errand_command_) return nullptr;  // it comes to do so, a batch at a time
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
      if (shard.hand_overs_due == 0) continue;
      const auto& due = shard.keys().waited().due();
      if (std::any_of(due.begin(), due.end(), [&](WaitedKey* key) { return is_named(*key); })) {
        return &shard;
      }
    }
    return nullptr;
  };
  if (!log_admits()) {
    const bool reads = schema::has(call.command_->command->access, schema::Access::readonly);
    return reads ? nullptr : some_due();
  }
  for (const ShardId id : call.needs()) {
    if ((*shards_)[id].hand_overs_due == 0) continue;
    const std::vector<WaitedKey*> due = (*shards_)[id].keys().waited().due();
    for (WaitedKey* key : due) {
      if (!is_named(*key) || key->signalled) continue;
      key->signalled = true;
      thread.signals.push_back(key);
    }
  }
  work_off(thread, hold, call.needs(), SIZE_MAX);
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
  }
  Scheduler::count_errors(thread, call);
  total_.fetch_sub(1, std::memory_order_relaxed);
  Thread& home = *waiter->home_;
  scheduler_->complete(call);
  std::vector<ShardId> needs;
  for (const Link& link : waiter->links()) needs.push_back(link.shard);
  std::sort(needs.begin(), needs.end());
  needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
  Errand& errand = make_errand(home, std::move(needs));
  errand.waiter = waiter;
  // Not run here: whoever ends a wait may be in the middle of something.
  scheduler_->post_to(home, errand.call);
  return true;
}

// Gives up the places of a claimed waiter: now in the shards that are held, soon in the others.
void Waiters::leave(Thread& thread, const std::shared_ptr<Waiter>& waiter, Held held) {
  std::vector<ShardId> others;
  for (Link& link : waiter->links()) {
    if (!holds(held, link.shard)) {
      others.push_back(link.shard);
      continue;
    }
    WaitedKey* key = link.at;
    if (key == nullptr) continue;
    take_out(thread, link);
    // Dropped by who walks the list: the key may be the one that is being served.
    if (key->count == 0 && !key->signalled) {
      key->signalled = true;
      thread.signals.push_back(key);
    }
  }
  if (others.empty()) return;
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  Errand& errand = make_errand(*waiter->home_, std::move(others));
  errand.waiter = waiter;
  thread.ready.push(errand.call);
}

// The caller has a reference to the waiter, or does not touch the link any more.
void Waiters::take_out(Thread& thread, Link& link) {
  if (link.wants_end && link.at->wanting_end == 1) thread.waiting.keys_wanting_end.add(-1);
  link.at->take_out(link);
  link.owner.reset();
}

void Waiters::drop_unused(Thread& thread, ShardId shard, WaitedKey& key) {
  if ((*shards_)[shard].keys().waited().drop_unused(key)) thread.waiting.keys.add(-1);
}

void Waiters::set_due(WaitedKey& key, bool due) {
  if (key.due == due) return;
  Shard& shard = (*shards_)[shard_of(key)];
  shard.keys().waited().set_due(key, due);
  shard.hand_overs_due += due ? 1 : -1;
}

// --- errands -----------------------------------------------------------------------------------

Waiters::Errand& Waiters::make_errand(Thread& home, std::vector<ShardId> needs) {
  auto made = std::make_unique<Errand>();
  Errand& errand = *made;
  errand.sender = this;
  Call& call = errand.call;
  call.set_command(errand_command_);
  call.set_home(home, &Waiters::errand_ended, &errand);
  call.needs() = std::move(needs);
  call.scheduler_ = scheduler_;
  call.shards_ = shards_;
  call.settings_ = settings_;
  call.under_tokens_ = &Waiters::run_errand;
  std::lock_guard lock(mutex_);
  errand.place = errands_.size();
  errands_.push_back(std::move(made));
  return errand;
}

// What could not be served here is due, and an errand goes on with it.
void Waiters::leave_due(Thread& thread, Thread& home, WaitedKey& key, std::vector<ShardId> needs) {
  set_due(key, true);
  if (key.errand) return;  // one is on its way; it will find what it lacks
  key.errand = true;
  std::sort(needs.begin(), needs.end());
  needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
  Errand& errand = make_errand(home, std::move(needs));
  errand.key = &key;
  thread.waiting.errands.add(1);
  thread.ready.push(errand.call);
}

void Waiters::run_errand(Call& call) {
  Errand& errand = *static_cast<Errand*>(call.owner());
  if (errand.key != nullptr) return serve_on_errand(call, *errand.key);
  for (Link& link : errand.waiter->links()) {
    if (!holds(call.needs(), link.shard) || link.at == nullptr) continue;
    WaitedKey* key = link.at;
    take_out(call.thread(), link);
    errand.sender->drop_unused(call.thread(), link.shard, *key);
  }
}

void Waiters::serve_on_errand(Call& call, WaitedKey& key) {
  Waiters& self = *static_cast<Errand*>(call.owner())->sender;
  Thread& thread = call.thread();
  if (!self.log_admits()) {
    thread.waiting.errands_at_door.add(1);
    return self.stand_at_door(*call.home_, key, call.needs());
  }
  key.errand = false;
  // It is served with all that was signalled in this hold, at its end.
  if (!key.signalled) {
    key.signalled = true;
    thread.signals.push_back(&key);
  }
  // They run when this hold has ended, and are held up again if not all could be served.
  CallList& held_up = (*self.shards_)[self.shard_of(key)].held_up;
  while (Call* one = held_up.pop()) thread.ready.push(*one);
}

bool Waiters::log_admits() const {
  const storage::Log* log = scheduler_->log();
  return log == nullptr || log->admits();
}

// The errand ends; another is sent when the log has room.
void Waiters::stand_at_door(Thread& home, WaitedKey& key, std::vector<ShardId> needs) {
  {
    std::lock_guard lock(mutex_);
    at_door_.push_back({&home, &key, std::move(needs)});
    somebody_at_door_.store(true, std::memory_order_seq_cst);
  }
  // First in the list, then one look more: whichever comes later, we or the log, sees the other.
  if (log_admits()) log_advanced();
}

void Waiters::log_advanced() {
  if (!somebody_at_door_.load(std::memory_order_seq_cst) || !log_admits()) return;
  std::vector<AtDoor> admitted;
  {
    std::lock_guard lock(mutex_);
    admitted.swap(at_door_);
    somebody_at_door_.store(false, std::memory_order_seq_cst);
  }
  for (AtDoor& one : admitted) {
    Errand& errand = make_errand(*one.home, std::move(one.needs));
    errand.key = one.key;
    scheduler_->post_to(*one.home, errand.call);
  }
}

void Waiters::errand_ended(Call& call) {
  Errand& errand = *static_cast<Errand*>(call.owner());
  Waiters& self = *errand.sender;
  std::unique_ptr<Errand> ended;
  std::lock_guard lock(self.mutex_);
  std::swap(self.errands_[errand.place], self.errands_.back());
  self.errands_[errand.place]->place = errand.place;
  ended = std::move(self.errands_.back());
  self.errands_.pop_back();
}

}  // namespace slotcar::shard
