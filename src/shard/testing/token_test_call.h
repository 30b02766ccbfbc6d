// The small calls with which the tests of the tokens run the scheduler's steps
// (shard/token_steps.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/ids.h"
#include "shard/call_list.h"
#include "shard/token.h"
#include "shard/token_steps.h"

namespace slotcar::shard {

// Ascending, like the shards that a call needs, without an allocation.
class TestNeeds {
 public:
  void add(int shard) { add(ShardId{static_cast<std::uint16_t>(shard)}); }
  void add(ShardId shard) {
    std::size_t at = size_;
    for (; at > 0 && shard < shards_[at - 1]; --at) shards_[at] = shards_[at - 1];
    shards_[at] = shard;
    ++size_;
  }
  bool contains(ShardId shard) const { return std::find(begin(), end(), shard) != end(); }
  void clear() { *this = {}; }
  std::size_t size() const { return size_; }
  ShardId operator[](std::size_t i) const { return shards_[i]; }
  const ShardId* begin() const { return shards_.data(); }
  const ShardId* end() const { return shards_.data() + size_; }

 private:
  std::array<ShardId, 8> shards_{};
  std::size_t size_ = 0;
};

class TestCall : public Queued {
 public:
  std::uint8_t id = 0;  // from 1: 0 is none
  std::uint8_t home = 0;
  bool slow = false;
  std::uint8_t tries = 0;  // that ended because it did not gain a token
  std::uint32_t ran = 0;
  std::uint64_t number = 0;  // which of its home's calls

  TestNeeds& needs() { return needs_; }
  const TestNeeds& needs() const { return needs_; }
  TokenTally& tokens() { return tokens_; }
  const TokenTally& tokens() const { return tokens_; }

 private:
  TestNeeds needs_;
  TokenTally tokens_;
};

// How often each way was taken. A campaign in which one stays 0 has shown nothing about it.
class TokenEventCounts {
 public:
  void add(TokenEvent event) { ++counts_[static_cast<std::size_t>(event)]; }
  void add(const TokenEventCounts& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  }
  std::uint64_t of(TokenEvent event) const { return counts_[static_cast<std::size_t>(event)]; }

 private:
  std::array<std::uint64_t, static_cast<std::size_t>(TokenEvent::kCount)> counts_{};
};

}  // namespace slotcar::shard
