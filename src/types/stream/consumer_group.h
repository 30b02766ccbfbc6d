// ConsumerGroup: a reader of a stream that is many: what it has read, who its consumers are, and
// who holds which entry that is delivered but not acknowledged.
//
// The group's list of pending entries has all there is to know of them; a consumer's has the ids
// alone. Both are versioned trees, so a copy of a group costs as much as it has consumers, however
// much is pending. A consumer is named by a number in them; the number of a removed one is used
// again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "types/stream/pending_tree.h"
#include "types/stream/stream_id.h"
#include "types/tree/pair_tree.h"

namespace slotcar::types {

struct Consumer {
  std::string name;
  std::int64_t seen_at = 0;     // its last attempt to get something, unix ms
  std::int64_t active_at = -1;  // the last one that gave it something; -1: never
  PairTree pending;             // ids
};

class ConsumerGroup {
 public:
  static constexpr std::int64_t kUnknownReads = -1;
  using Number = std::uint32_t;

  ConsumerGroup(const StreamId& last_id, std::int64_t entries_read)
      : last_id_(last_id), entries_read_(entries_read) {}

  // The last entry delivered, and how many of those ever added it has read, if that is known.
  const StreamId& last_id() const { return last_id_; }
  std::int64_t entries_read() const { return entries_read_; }
  void set_position(const StreamId& last_id, std::int64_t entries_read) {
    last_id_ = last_id;
    entries_read_ = entries_read;
  }

  // --- consumers
  std::size_t consumers() const { return by_name_.size(); }
  std::optional<Number> find(std::string_view name) const;
  const Consumer& consumer(Number number) const { return slots_[number]; }
  // Calls visit(consumer) in the order of their names.
  template <class Visit>
  void for_each_consumer(const Visit& visit) const {
    for (const auto& [name, number] : by_name_) visit(slots_[number]);
  }
  Number make_consumer(std::string_view name, std::int64_t now);  // there is none of that name
  void remove_consumer(Number number);  // what is pending for it goes, too
  void set_seen(Number number, std::int64_t at) { slots_[number].seen_at = at; }
  void set_active(Number number, std::int64_t at) { slots_[number].active_at = at; }

  // --- pending entries
  const PendingTree& pending() const { return pending_; }
  // Calls visit(pending) for those of one consumer, from `from` on, until it answers false.
  template <class Visit>
  void walk_of(Number number, const StreamId& from, const Visit& visit) const;
  // Makes it pending for that consumer, whosever it was before.
  void assign(const Pending& pending);
  bool acknowledge(const StreamId& id);  // false: it was not pending

  // As TreeObject::free_some.
  bool free_some(std::size_t& nodes);

  std::size_t footprint() const { return sizeof(*this) + pending_.bytes() + consumer_bytes_; }

 private:
  static Pair pair_of(const StreamId& id) { return {id.ms, id.seq}; }
  void change_list(Number number, const StreamId& id, bool add);

  StreamId last_id_;
  std::int64_t entries_read_;
  std::map<std::string, Number, std::less<>> by_name_;
  std::vector<Consumer> slots_;
  std::vector<Number> free_;
  PendingTree pending_;
  std::size_t consumer_bytes_ = 0;
};

template <class Visit>
void ConsumerGroup::walk_of(Number number, const StreamId& from, const Visit& visit) const {
  const PairTree& ids = slots_[number].pending;
  for (auto at = ids.at_or_after(pair_of(from)); at;) {
    StreamId id{at->key, at->value};
    if (!visit(*pending_.find(id)) || !id.step_up()) return;
    at = ids.at_or_after(pair_of(id));
  }
}

}  // namespace slotcar::types
