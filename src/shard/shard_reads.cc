#include "shard/shard_reads.h"

#include <utility>

#include "base/assert.h"
#include "shard/holds.h"
#include "shard/shard.h"

namespace slotcar::shard {

void ShardReads::leave_parts(ShardSet& shards, const keyspace::Hold& hold) {
  moment_ = hold.now;
  touch_ = hold.touch;
  for (ReadPart& part : parts()) {
    Shard& shard = shards[part.shard];
    part.next = std::exchange(shard.unread_parts, &part);
  }
}

void read_in_parts(Call& call, Continuation rest) {
  CallSchedule& schedule = call.schedule();
  ASSERT(has_planned_reads(call) && schedule.runs_as == CallSchedule::RunsAs::itself);
  schedule.reads.planned->leave_parts(call.shards(), call.hold());
  schedule.reads.begun = true;
  schedule.rest = rest;
}

schema::WalkStep ShardReads::next_step(std::size_t& part) const {
  while (part < part_count_ && parts_[part].done.load(std::memory_order_acquire)) ++part;
  return part < part_count_ ? schema::WalkStep::go(parts_[part].shard.value)
                            : schema::WalkStep::done();
}

void ShardReads::read(ReadPart& part, keyspace::Hold& hold, Shard& shard) {
  hold.now = moment_;
  hold.touch = touch_;
  hold.keeps_expired = true;
  read_items(part, hold, shard);
  part.done.store(true, std::memory_order_release);  // its owner may now end, and the part with it
}

void Holds::read_left_parts(Thread& thread, Shard& shard) {
  // Not the hold of the call that has entered, whose changes and notifications are its own.
  keyspace::PendingNotifications notifications;
  keyspace::Hold hold(shard.alone());
  hold.counters = &thread.keyspace;
  hold.effects = &thread.effects;
  hold.settings = &settings_->keyspace;
  hold.reclaimer = reclaimer_;
  hold.notifications = &notifications;
  hold.look_who_listens();
  ReadPart* part = std::exchange(shard.unread_parts, nullptr);
  while (part != nullptr) {
    ReadPart* const next = part->next;
    hold.random = thread.random.next();
    part->reads->read(*part, hold, shard);
    part = next;
  }
  if (!notifications.empty() && event_sink_ != nullptr) {
    event_sink_->emit(std::move(notifications), hold.written);
  }
}

}  // namespace slotcar::shard
