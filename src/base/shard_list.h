// ShardList: a set of shards as a sorted list without repeats. Tokens are taken in this order. For
// a call on one shard or on all of them, `contains` is a single comparison.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "base/ids.h"

namespace slotcar::base {

// Whether a shard is in an ascending list. Most lists have one shard; that case is inline.
bool contains_shard_beyond_first(std::span<const ShardId> ascending, ShardId shard);
inline bool contains_shard(std::span<const ShardId> ascending, ShardId shard) {
  if (ascending.empty()) return false;
  return ascending.front() == shard || contains_shard_beyond_first(ascending, shard);
}

class ShardList {
 public:
  ShardList() = default;
  ShardList(std::initializer_list<ShardId> shards) { assign(shards); }

  // The shards 0 to count - 1.
  static ShardList all(std::size_t count) {
    ShardList list;
    list.assign_all(count);
    return list;
  }

  void add(ShardId shard) {
    if (shards_.empty() || shards_.back() < shard) [[likely]] {
      shards_.push_back(shard);
      return;
    }
    const auto at = std::lower_bound(shards_.begin(), shards_.end(), shard);
    if (*at != shard) shards_.insert(at, shard);
  }
  // Adds many, in any order: sorting once beats inserting one by one.
  template <class Range>
  void add_all(const Range& shards) {
    for (const ShardId shard : shards) shards_.push_back(shard);
    std::sort(shards_.begin(), shards_.end());
    shards_.erase(std::unique(shards_.begin(), shards_.end()), shards_.end());
  }
  template <class Range>
  void assign(const Range& shards) {
    clear();
    add_all(shards);
  }
  void assign_one(ShardId shard) {
    clear();
    shards_.push_back(shard);
  }
  void assign_all(std::size_t count) {
    shards_.resize(count);
    for (std::size_t i = 0; i < count; ++i) shards_[i] = ShardId{static_cast<std::uint16_t>(i)};
  }
  void clear() { shards_.clear(); }  // keeps the allocation

  bool contains(ShardId shard) const { return contains_shard(shards_, shard); }
  bool empty() const { return shards_.empty(); }
  std::size_t size() const { return shards_.size(); }
  ShardId operator[](std::size_t i) const { return shards_[i]; }
  const ShardId* begin() const { return shards_.data(); }
  const ShardId* end() const { return shards_.data() + shards_.size(); }
  operator std::span<const ShardId>() const { return shards_; }
  bool operator==(const ShardList&) const = default;

 private:
  std::vector<ShardId> shards_;
};

}  // namespace slotcar::base
