#include "shard/call.h"

#include <algorithm>

#include "base/assert.h"
#include "base/hash.h"
#include "schema/slot.h"

namespace slotcar::shard {

Call::Call() : runtime::Task(nullptr) {}
Call::~Call() = default;

void Call::drop_state() {
  if (state_ == nullptr) return;
  state_->let_go(hold_->reclaimer);
  state_.reset();
}

void Call::reset() {
  command_ = nullptr;
  arguments_.clear();
  keys_.clear();
  needs_.clear();
  if (!own_output_.empty()) own_output_.clear();
  own_output_.set_guard(nullptr);
  owned_bytes_.clear();
  state_.reset();
  continuation_ = nullptr;
  under_tokens_ = nullptr;
  transaction_ = nullptr;
  locator_ = nullptr;
  hold_ = nullptr;
  thread_ = nullptr;
  session_ = nullptr;
  held_ = 0;
  retreats_ = 0;
  slow_tries_ = 0;
  returner_ = false;
  on_the_spot_ = false;
  wants_slow_ = false;
  begins_later_ = false;
  has_thread_ = false;
  in_transaction_ = false;
  may_move_ = false;
  move_ = Move::no;
  moved_hold_.reset();
  has_run_ = false;
  gate_ = Lsn{0};
  parked_.store(Parked::no, std::memory_order_relaxed);
  goes_on_ = nullptr;
  wait_.reset();
  waiter_.reset();
  cycles_ = 0;
}

void Call::own_arguments() {
  std::size_t total = 0;
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (arguments_.shared(i) == nullptr) total += arguments_[i].size();
  }
  owned_bytes_.reserve(total);
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (arguments_.shared(i) != nullptr) continue;
    const std::size_t at = owned_bytes_.size();
    owned_bytes_.append(arguments_[i]);
    arguments_.mutable_views()[i] = {owned_bytes_.data() + at, arguments_[i].size()};
  }
  for (LocatedKey& key : keys_) key.key.name = arguments_[key.argument];
}

void Call::needs_all_shards(std::uint32_t count) {
  needs_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) needs_[i] = ShardId{static_cast<std::uint16_t>(i)};
}

keyspace::Key Call::make_key(std::string_view name) const {
  return {name, base::hash_bytes(name, shards_->shape().seed), schema::slot_of(name)};
}

WorkPlace Call::work_place(std::size_t size) const {
  WorkMoment moment = WorkMoment::under_tokens;
  if (is_served()) {
    moment = WorkMoment::tied;
  } else if (in_transaction_) {
    moment = may_move_ ? WorkMoment::in_transaction : WorkMoment::tied;
  }
  const schema::WhenLarge when_large = command_->command->when_large;
  ASSERT(when_large != schema::WhenLarge::quick);  // what may be large says so in its declaration
  return decide_work_place(when_large, size, moment, thread_ != nullptr && thread_->is_slow);
}

void Call::finish_without_tokens(Continuation rest) {
  ASSERT(command_->command->when_large != schema::WhenLarge::quick);
  if (is_served() || (in_transaction_ && !may_move_)) {
    rest(*this);
  } else {
    continuation_ = rest;
  }
}

void Call::park() {
  ASSERT(!in_transaction_);
  parked_.store(Parked::answer_pending, std::memory_order_relaxed);
}

void Call::come_back_with_tokens(Continuation rest, bool takes_long) {
  if (in_transaction_ || is_served()) {
    rest(*this);
    return;
  }
  under_tokens_ = rest;
  wants_slow_ = takes_long;
}

std::size_t Call::footprint() const {
  std::size_t total = sizeof(*this) + owned_bytes_.capacity() +
                      arguments_.views().capacity() * sizeof(std::string_view) +
                      keys_.capacity() * sizeof(LocatedKey) + own_output_.footprint();
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (const auto* bytes = arguments_.shared(i)) total += bytes->footprint();
  }
  return total;
}

std::size_t argument_count(const Call& call) {
  return call.size() - 1;
}

std::size_t pair_count(const Call& call) {
  return call.size() / 2;
}

void CallList::push(Call& call) {
  call.queue_next = nullptr;
  if (last_ != nullptr) {
    last_->queue_next = &call;
  } else {
    first_ = &call;
  }
  last_ = &call;
}

Call* CallList::pop() {
  Call* call = first_;
  if (call != nullptr) {
    first_ = static_cast<Call*>(call->queue_next);
    if (first_ == nullptr) last_ = nullptr;
    call->queue_next = nullptr;
  }
  return call;
}

}  // namespace slotcar::shard
