// The keys of a call one after the other, for commands that do the same with each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "commands/declare.h"
#include "shard/shard_reads.h"

namespace slotcar::commands {

// Calls visit(i) for each i below count, and before that bucket(i) and entry(i), which ask for the
// memory that it needs.
template <class Bucket, class EntryOf, class Visit>
void fetch_ahead(std::size_t count, const Bucket& bucket, const EntryOf& entry,
                 const Visit& visit) {
  constexpr std::size_t kBucketsAhead = 24;
  constexpr std::size_t kEntriesAhead = 12;
  for (std::size_t i = 0; i < std::min(count, kBucketsAhead); ++i) bucket(i);
  for (std::size_t i = 0; i < std::min(count, kEntriesAhead); ++i) entry(i);
  for (std::size_t i = 0; i < count; ++i) {
    if (i + kBucketsAhead < count) bucket(i + kBucketsAhead);
    if (i + kEntriesAhead < count) entry(i + kEntriesAhead);
    visit(i);
  }
}

// Calls visit(i) for each key, holding all tokens. With very many keys most of the time is spent
// waiting for memory, while all their tokens are held, so it is prefetched some keys ahead. (A few
// keys were prefetched by their batch.)
template <class Visit>
void for_each_key(Call& call, const Visit& visit) {
  const std::size_t count = call.key_count();
  if (!shard::is_large_size(count)) {
    for (std::size_t i = 0; i < count; ++i) visit(i);
    return;
  }
  fetch_ahead(
      count, [&](std::size_t i) { call.space(i).prefetch_bucket(call.db(), call.key(i)); },
      [&](std::size_t i) { call.space(i).prefetch_entry(call.db(), call.key(i)); }, visit);
}

// The keys of a call that only looks at them, in parts (shard/shard_reads.h).
class KeyReads : public shard::CallState, public shard::ShardReads {
 public:
  // False: most of them are in one shard.
  bool plan_keys(Call& call) {
    call_ = &call;
    plan(call.key_count(), call.shards().count(),
         [&call](std::size_t i) { return call.located(i).shard; });
    return is_spread();
  }
  std::size_t key_count() const { return call_->key_count(); }

 private:
  // Under the token of its shard. Several parts are read at a time.
  virtual void visit(const shard::ReadPart& part, std::size_t i, const Entry* entry) = 0;

  void read_items(const shard::ReadPart& part, keyspace::Hold& hold, shard::Shard& shard) final {
    keyspace::Keyspace& space = shard.keys();
    const DbIndex db = call_->db();
    const auto key = [&](std::size_t n) -> const keyspace::Key& {
      return call_->key(part.items[n]);
    };
    fetch_ahead(
        part.items.size(), [&](std::size_t n) { space.prefetch_bucket(db, key(n)); },
        [&](std::size_t n) { space.prefetch_entry(db, key(n)); },
        [&](std::size_t n) { visit(part, part.items[n], space.find(hold, db, key(n))); });
  }

  const Call* call_ = nullptr;
};

// For the declaration's `prepare`. The keys that a client tracks are noted under their tokens, and
// so all are held.
template <class Reads>
void plan_key_reads(Call& call) {
  if (call.caller().tracker != nullptr) return;
  auto& reads = call.state<Reads>();
  if (!reads.plan_keys(call)) return;
  reads.begin();
  plan_reads(call, &reads);
}

// How many of the keys are there (EXISTS, TOUCH).
class PresentKeys final : public KeyReads {
 public:
  void begin() { found_.resize(part_count()); }
  static void answer(Call& call) {
    std::int64_t present = 0;
    for (const std::int64_t found : call.state<PresentKeys>().found_) present += found;
    call.reply().integer(present);
  }

 private:
  void visit(const shard::ReadPart& part, std::size_t, const Entry* entry) override {
    found_[part.number] += entry != nullptr;
  }

  std::vector<std::int64_t> found_;  // by part
};

}  // namespace slotcar::commands
