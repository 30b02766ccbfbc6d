#include "shard/call.h"

#include <atomic>
#include <memory>

#include "base/assert.h"
#include "base/hash.h"
#include "schema/slot.h"

namespace slotcar::shard {

using RunsAs = CallSchedule::RunsAs;

void Call::reset() {
  Request::clear();
  state_.reset();
  context_ = {};
  // As an assignment of {}, without a temporary: this is done for each request.
  std::destroy_at(&schedule_);
  std::construct_at(&schedule_);
}

void Call::drop_state() {
  if (state_ == nullptr) return;
  state_->let_go(hold().reclaimer);
  state_.reset();
}

keyspace::Key Call::make_key(std::string_view name) const {
  return {name, base::hash_bytes(name, context_.shards->shape().seed), schema::slot_of(name)};
}

WorkPlace Call::work_place(std::size_t size) const {
  WorkMoment moment = WorkMoment::tied;
  if (schedule_.runs_as == RunsAs::itself) moment = WorkMoment::under_tokens;
  if (schedule_.runs_as == RunsAs::transaction) moment = WorkMoment::in_transaction;
  const schema::WhenLarge when_large = declaration().when_large;
  ASSERT(when_large != schema::WhenLarge::quick);  // what may be large says so in its declaration
  const Thread* thread = context_.thread;
  return decide_work_place(when_large, size, moment, thread != nullptr && thread->is_slow);
}

void Call::finish_without_tokens(Continuation rest) {
  ASSERT(declaration().when_large != schema::WhenLarge::quick);
  if (schedule_.runs_as == RunsAs::waiter || schedule_.runs_as == RunsAs::tied) {
    rest(*this);
  } else {
    schedule_.rest = rest;
  }
}

Call& Call::park() {
  Call& waits = context_.exec != nullptr ? *context_.exec : *this;
  ASSERT(!waits.in_transaction());
  std::atomic_ref parked(waits.schedule_.parked);
  // As long as its handler runs, that is one of those who have to end.
  if (parked.load(std::memory_order_relaxed) == 0) parked.store(1, std::memory_order_relaxed);
  parked.fetch_add(1, std::memory_order_relaxed);
  return waits;
}

void Call::come_back_with_tokens(Continuation rest, bool takes_long) {
  if (schedule_.runs_as != RunsAs::itself) {
    rest(*this);
    return;
  }
  schedule_.under_tokens = rest;
  schedule_.wants_slow = takes_long;
}

std::size_t argument_count(const Call& call) {
  return call.size() - 1;
}

std::size_t pair_count(const Call& call) {
  return call.size() / 2;
}

}  // namespace slotcar::shard
