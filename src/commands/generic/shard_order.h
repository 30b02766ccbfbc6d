// The order in which walks over the keyspace visit it: shard by shard, in each shard slot by slot.
// Shards without keys are skipped by their counters, without taking their tokens.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/ids.h"
#include "base/limits.h"
#include "shard/shard.h"

namespace slotcar::commands {

// The first shard from `from` on that has keys in the database. (A key that exists during a whole
// walk is counted during the whole walk.)
inline std::optional<ShardId> shard_with_keys(shard::ShardSet& shards, DbIndex db,
                                              std::uint32_t from) {
  for (std::uint32_t i = from; i < shards.count(); ++i) {
    const ShardId id{static_cast<std::uint16_t>(i)};
    const keyspace::Keyspace* numbers = shards[id].numbers();
    if (numbers != nullptr && numbers->keys(db) > 0) return id;
  }
  return std::nullopt;
}

// The position of a walk: before the `position`-th place of a slot.
struct WalkPlace {
  Slot slot{0};
  std::uint64_t position = 0;
};

// Where a walk continues in this shard: `place` itself, or the beginning of the next
// slot that has keys.
inline std::optional<WalkPlace> place_with_keys(const keyspace::Keyspace& keys, DbIndex db,
                                                WalkPlace place) {
  if (place.position > 0) return place;
  const auto slot = keys.next_slot(db, place.slot);
  if (!slot) return std::nullopt;
  return WalkPlace{*slot, 0};
}

// The place after a finished slot. Nothing after the shard's last slot.
inline std::optional<WalkPlace> next_slot_of_shard(const shard::ShardSet& shards, WalkPlace place) {
  const std::uint32_t next = place.slot.value + shards.count();
  if (next >= limits::kSlots) return std::nullopt;
  return WalkPlace{Slot{static_cast<std::uint16_t>(next)}, 0};
}

// The first slot of a shard has the shard's number.
inline WalkPlace beginning_of(ShardId shard) {
  return {Slot{shard.value}, 0};
}

// What one visit of a walk, which is one hold of a shard's token, may look at: so many keys, and
// about so many bytes of their names.
inline constexpr std::size_t kKeysPerVisit = 256;
inline constexpr std::size_t kNameBytesPerVisit = 256 * 1024;

class VisitShare {
 public:
  explicit VisitShare(std::size_t keys) : end_(keys) {}

  bool used_up() const { return seen_ >= end_ || bytes_ >= kNameBytesPerVisit; }
  std::size_t seen() const { return seen_; }
  void look_at(std::string_view name) {
    ++seen_;
    bytes_ += name.size();
  }
  // How many keys are asked for at a time. If a slot has more than these, they count as seen, even
  // if not all of them were alive.
  std::size_t begin_some() {
    some_end_ = std::min(end_, seen_ + kKeysAtOnce);
    return some_end_ - seen_;
  }
  void end_some() { seen_ = std::max(seen_, some_end_); }

 private:
  static constexpr std::size_t kKeysAtOnce = 32;

  std::size_t end_;
  std::size_t some_end_ = 0;
  std::size_t seen_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace slotcar::commands
