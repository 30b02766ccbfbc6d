#include "shard/watch_removals.h"

#include <utility>

#include "base/limits.h"
#include "shard/call.h"
#include "shard/scheduler.h"

namespace slotcar::shard {

struct WatchRemovals::Removal {
  Call call;
  std::unique_ptr<keyspace::WatchSet> set;
  WatchRemovals* owner = nullptr;
  std::size_t place = 0;  // in removals_
};

WatchRemovals::WatchRemovals(Scheduler& scheduler, ShardSet& shards)
    : scheduler_(&scheduler),
      shards_(&shards),
      command_("(remove watches)", schema::on_keys(nullptr)) {}

WatchRemovals::~WatchRemovals() = default;

void WatchRemovals::take(Thread& home, std::unique_ptr<keyspace::WatchSet> set) {
  if (!set || remove_where_free(home, *set)) return;
  bytes_.fetch_add(static_cast<std::int64_t>(set->bytes()), std::memory_order_relaxed);
  auto made = std::make_unique<Removal>();
  Removal& removal = *made;
  removal.set = std::move(set);
  removal.owner = this;
  Call& call = removal.call;
  call.set_home(home, &WatchRemovals::slice_ended, &removal);
  {
    std::lock_guard lock(mutex_);
    removal.place = removals_.size();
    removals_.push_back(std::move(made));
  }
  go_on(removal);
}

// True: nothing is left. A token that is held is not waited for.
bool WatchRemovals::remove_where_free(Thread& thread, keyspace::WatchSet& set) {
  if (set.size() > limits::kWatchesRemovedAtOnce) return false;
  while (set.size() > 0) {
    const ShardId id = set.first_shard();
    Shard& shard = (*shards_)[id];
    if (!scheduler_->try_take(shard)) return false;
    set.remove_some(shard.keys().watched(), thread.keyspace, id, limits::kWatchesRemovedAtOnce);
    // Who was queued meanwhile runs at home: this may be in the middle of another call's hold.
    scheduler_->give_back_quietly(thread, shard);
  }
  return true;
}

// Posted, never run here: the caller may be in the middle of something, and one slice
// is enough for a turn.
void WatchRemovals::go_on(Removal& removal) {
  Call& call = removal.call;
  call.needs().assign_one(removal.set->first_shard());
  scheduler_->prepare_internal(call, command_, &WatchRemovals::remove_slice);
  scheduler_->post_to(*call.home().thread, call);
}

void WatchRemovals::remove_slice(Call& call) {
  keyspace::WatchSet& set = *static_cast<Removal*>(call.owner())->set;
  const ShardId id = call.needs()[0];
  set.remove_some(call.shards()[id].keys().watched(), *call.hold().counters, id,
                  limits::kWatchesPerHold);
}

void WatchRemovals::slice_ended(Call& call) {
  Removal& removal = *static_cast<Removal*>(call.owner());
  WatchRemovals& self = *removal.owner;
  if (removal.set->size() > 0) return self.go_on(removal);
  self.bytes_.fetch_sub(static_cast<std::int64_t>(removal.set->bytes()), std::memory_order_relaxed);
  std::unique_ptr<Removal> ended;
  std::lock_guard lock(self.mutex_);
  std::swap(self.removals_[removal.place], self.removals_.back());
  self.removals_[removal.place]->place = removal.place;
  ended = std::move(self.removals_.back());
  self.removals_.pop_back();
}

}  // namespace slotcar::shard
