#include "types/stream/consumer_group.h"

#include "base/assert.h"

namespace slotcar::types {

namespace {

// The memory of a consumer besides its list: its slot, its entry among the names.
constexpr std::size_t kConsumerBytes = sizeof(Consumer) + 96;

std::size_t cost_of(std::string_view name) {
  return kConsumerBytes + 2 * name.size();
}

}  // namespace

std::optional<ConsumerGroup::Number> ConsumerGroup::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return std::nullopt;
  return found->second;
}

ConsumerGroup::Number ConsumerGroup::make_consumer(std::string_view name, std::int64_t now) {
  Number number = 0;
  if (free_.empty()) {
    number = static_cast<Number>(slots_.size());
    slots_.emplace_back();
  } else {
    number = free_.back();
    free_.pop_back();
  }
  slots_[number].name = name;
  slots_[number].seen_at = now;
  const bool made = by_name_.emplace(name, number).second;
  ASSERT(made);
  consumer_bytes_ += cost_of(name);
  return number;
}

void ConsumerGroup::remove_consumer(Number number) {
  Consumer& gone = slots_[number];
  for (auto id = gone.pending.first(); id; id = gone.pending.first()) {
    acknowledge({id->key, id->value});
  }
  consumer_bytes_ -= cost_of(gone.name);
  by_name_.erase(by_name_.find(gone.name));
  gone = {};
  free_.push_back(number);
}

void ConsumerGroup::change_list(Number number, const StreamId& id, bool add) {
  PairTree& list = slots_[number].pending;
  const std::size_t before = list.bytes();
  const bool changed = add ? list.insert(pair_of(id)) : list.erase(pair_of(id));
  ASSERT(changed);
  consumer_bytes_ += list.bytes() - before;
}

void ConsumerGroup::assign(const Pending& pending) {
  const std::optional<Pending> old = pending_.find(pending.id);
  if (!old || old->consumer != pending.consumer) {
    if (old) change_list(old->consumer, pending.id, false);
    change_list(pending.consumer, pending.id, true);
  }
  pending_.put(pending);
}

bool ConsumerGroup::acknowledge(const StreamId& id) {
  const std::optional<Pending> old = pending_.find(id);
  if (!old) return false;
  change_list(old->consumer, id, false);
  pending_.erase(id);
  return true;
}

bool ConsumerGroup::free_some(std::size_t& nodes) {
  if (!pending_.free_some(nodes)) return false;
  for (; !slots_.empty(); slots_.pop_back(), --nodes) {
    if (nodes == 0 || !slots_.back().pending.free_some(nodes) || nodes == 0) return false;
  }
  for (; !by_name_.empty(); by_name_.erase(by_name_.begin()), --nodes) {
    if (nodes == 0) return false;
  }
  return true;
}

}  // namespace slotcar::types
