// ConsumerGroup: what a group of consumers has read of a stream, its consumers, and which of them
// holds which entry that is delivered but not acknowledged.
//
// The group's list of pending entries has all their data; a consumer's has only the ids. Both
// are versioned trees, so the cost of copying a group depends on the number of consumers, not on
// how much is pending. They refer to a consumer by a number; the number of a removed one is
// reused.
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
  std::int64_t seen_at = 0;     // its last attempt to read, unix ms
  std::int64_t active_at = -1;  // its last successful read; -1: never
  PairTree pending;             // ids
};

class ConsumerGroup {
 public:
  static constexpr std::int64_t kUnknownReads = -1;
  using Number = std::uint32_t;

  ConsumerGroup(const StreamId& last_id, std::int64_t entries_read)
      : last_id_(last_id), entries_read_(entries_read) {}

  // The last entry delivered, and how many of all entries ever added it has read, if that is known.
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
  void remove_consumer(Number number);  // removes what is pending for it, too
  void set_seen(Number number, std::int64_t at) { slots_[number].seen_at = at; }
  void set_active(Number number, std::int64_t at) { slots_[number].active_at = at; }

  // --- pending entries
  const PendingTree& pending() const { return pending_; }
  // Calls visit(pending) for those of one consumer, from `from` on, until it returns false.
  template <class Visit>
  void walk_of(Number number, const StreamId& from, const Visit& visit) const;
  // Makes it pending for that consumer, whichever held it before.
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
