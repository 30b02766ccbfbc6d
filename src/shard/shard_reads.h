// ShardReads: a look at very many keys as of one moment, which holds their tokens for that moment
// alone.
//
// An EXISTS of 300,000 keys needs every token, and takes tens of milliseconds. It takes its tokens
// as every call does, but reads nothing then: it leaves a *part* in each shard, which is what there
// is to be read there, and gives the tokens back. The next call that enters a shard (Holds::enter)
// reads the parts that are left there before anything else: the call itself, which goes from shard
// to shard on a slow thread, or another call that comes for the shard earlier. So all parts see the
// moment at which all tokens were held, and a call in between waits for the part of one shard.
//
// The parts are read by several threads at once, each under the token of its shard: a part writes
// its own results only. Nothing is removed while reading: a key whose time is over at that moment
// is not there.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ids.h"
#include "keyspace/hold.h"
#include "schema/command.h"
#include "shard/call.h"

namespace slotcar::shard {

class ShardReads;

// What is to be read in one shard.
struct ReadPart {
  ShardReads* reads = nullptr;
  ReadPart* next = nullptr;  // of another call, in the same shard
  ShardId shard;
  std::uint32_t number = 0;  // among the parts
  std::span<const std::uint32_t> items = {};
  std::atomic<bool> done = false;
};

class ShardReads {
 public:
  // What may be left in one shard for the next call there: some tenths of a millisecond.
  static constexpr std::size_t kPartItemsMax = 4096;

  // Before any token is taken: which of `count` items is to be read where. `shard_of(i)` says it.
  template <class ShardOf>
  void plan(std::size_t count, std::uint32_t shard_count, const ShardOf& shard_of);
  // Whether the part of each shard is short enough for the first call there.
  bool is_spread() const { return part_count_ > 1 && largest_ <= kPartItemsMax; }
  std::span<ReadPart> parts() { return {parts_.get(), part_count_}; }
  std::size_t part_count() const { return part_count_; }

  // Under the tokens of all its shards: leaves the parts there.
  void leave_parts(ShardSet& shards, const keyspace::Hold& hold);
  // Where the call goes that has left them: to the first part from `part` on that has not been
  // read.
  ShardId first_shard() const { return parts_[0].shard; }
  schema::WalkStep next_step(std::size_t& part) const;
  // By the call that has entered the shard. The hold is for this alone.
  void read(ReadPart& part, keyspace::Hold& hold, Shard& shard);

 protected:
  ~ShardReads() = default;

 private:
  // Reads the items of a part, in whichever order.
  virtual void read_items(const ReadPart& part, keyspace::Hold& hold, Shard& shard) = 0;

  std::vector<std::uint32_t> order_;  // the items, shard by shard
  std::unique_ptr<ReadPart[]> parts_;
  std::size_t part_count_ = 0;
  std::size_t largest_ = 0;
  UnixMs moment_ = 0;
  bool touch_ = true;
};

// For calls that change nothing. `plan_reads` says before the tokens are taken that this is to
// come; null: not any more. `read_in_parts` then leaves the parts under the tokens, and `rest`
// answers without them when all are read. Not in a transaction.
inline void plan_reads(Call& call, ShardReads* reads) {
  call.schedule().reads.planned = reads;
}
inline bool has_planned_reads(const Call& call) {
  return call.schedule().reads.planned != nullptr;
}
void read_in_parts(Call& call, Continuation rest);

template <class ShardOf>
void ShardReads::plan(std::size_t count, std::uint32_t shard_count, const ShardOf& shard_of) {
  std::vector<std::uint32_t> ends(shard_count + 1);  // first the sizes, then where each part ends
  for (std::size_t i = 0; i < count; ++i) ++ends[shard_of(i).value + 1u];
  part_count_ = largest_ = 0;
  for (std::uint32_t s = 0; s < shard_count; ++s) {
    part_count_ += ends[s + 1] != 0;
    largest_ = std::max<std::size_t>(largest_, ends[s + 1]);
    ends[s + 1] += ends[s];
  }
  order_.resize(count);
  parts_ = std::make_unique<ReadPart[]>(part_count_);
  std::uint32_t number = 0;
  for (std::uint32_t s = 0; s < shard_count; ++s) {
    const std::uint32_t size = ends[s + 1] - ends[s];
    if (size == 0) continue;
    ReadPart& part = parts_[number];
    part.reads = this;
    part.shard = ShardId{static_cast<std::uint16_t>(s)};
    part.number = number++;
    part.items = std::span(order_).subspan(ends[s], size);
  }
  for (std::size_t i = 0; i < count; ++i) {
    order_[ends[shard_of(i).value]++] = static_cast<std::uint32_t>(i);
  }
}

}  // namespace slotcar::shard
