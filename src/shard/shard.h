// Shard: a token and what it guards. ShardSet: all shards of a node; a slot's shard is
// slot & (count - 1). A shard's structures are allocated on first use, so a thousand shards cost
// an empty server next to nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ids.h"
#include "base/shard_list.h"
#include "keyspace/keyspace.h"
#include "shard/call_list.h"
#include "shard/token.h"

namespace slotcar::shard {

struct ReadPart;
struct Thread;

// On cache lines of its own (two, because processors fetch them in pairs).
class alignas(128) Shard {
 public:
  Token token;
  // The thread whose batch holds the token, for that thread's own eyes: it lets a batch recognise a
  // token that it has already. Others only ever compare it with themselves.
  std::atomic<Thread*> batch_owner{nullptr};
  // The epoch of the last call that touched the shard: a higher one in the node means that a
  // snapshot has begun since, and the shard is cut before the call runs. Holder only.
  Epoch epoch;
  // Keys here whose waiters are still to be served (shard/waiters.h). Holder only.
  std::int32_t pending_handoffs = 0;
  // What calls on very many keys have left to be read here before anything else is done
  // (shard/shard_reads.h). Holder only.
  ReadPart* unread_parts = nullptr;
  // Calls that came for what those waiters are due. They hold nothing and start again when the
  // waiter task that serves has run. Holder only.
  CallList deferred_calls;

  ShardId id() const { return id_; }
  // Its list of shards: for a hold of this one alone.
  std::span<const ShardId> alone() const { return {&id_, 1}; }
  // Holder only. Never null after the first use.
  keyspace::Keyspace& keys() {
    if (!keys_) [[unlikely]]
      make_keys();
    return *keys_;
  }
  bool used() const { return published_.load(std::memory_order_acquire) != nullptr; }
  // Any thread, for the counters alone. Null if the shard was never used.
  const keyspace::Keyspace* numbers() const { return published_.load(std::memory_order_acquire); }

 private:
  friend class ShardSet;
  void make_keys();

  std::unique_ptr<keyspace::Keyspace> keys_;
  std::atomic<const keyspace::Keyspace*> published_{nullptr};
  const keyspace::KeyspaceShape* shape_ = nullptr;
  std::atomic<UnixMs>* next_due_ = nullptr;
  ShardId id_;
};

class ShardSet {
 public:
  explicit ShardSet(const keyspace::KeyspaceShape& shape);

  std::uint32_t count() const { return static_cast<std::uint32_t>(shards_.size()); }
  const keyspace::KeyspaceShape& shape() const { return shape_; }
  std::span<const ShardId> all() const { return all_; }
  Shard& operator[](ShardId id) { return shards_[id.value]; }
  ShardId shard_of(Slot slot) const {
    return ShardId{static_cast<std::uint16_t>(slot.value & (shards_.size() - 1))};
  }
  // The earliest expiry of each shard, side by side, so that a tick reads a few cache lines.
  std::atomic<UnixMs>& next_due(ShardId id) { return next_due_[id.value]; }

  std::int64_t keys(DbIndex db) const;
  std::int64_t keys_with_expiry(DbIndex db) const;

 private:
  keyspace::KeyspaceShape shape_;
  base::ShardList all_;
  std::vector<std::atomic<UnixMs>> next_due_;
  std::vector<Shard> shards_;
};

}  // namespace slotcar::shard
