// Database: one shard's part of one database (SELECT n). Plain data; the keyspace has the
// rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/counter.h"
#include "base/ids.h"
#include "base/reclaimer.h"
#include "keyspace/expiry.h"
#include "keyspace/table.h"

namespace slotcar::keyspace {

// Everything that FLUSHDB removes, as one object. Freeing it needs neither token nor Hold, so any
// thread may do it, later.
class Contents {
 public:
  explicit Contents(std::uint32_t tables);
  ~Contents();

  Table* tables() { return tables_.get(); }
  const Table* tables() const { return tables_.get(); }
  std::uint32_t table_count() const { return table_count_; }

  // Which tables have keys, so that a walk need not look at thousands of empty ones.
  void set_occupied(std::uint32_t table, bool yes);
  std::optional<std::uint32_t> next_occupied(std::uint32_t from) const;

  // Frees about this many keys; true: none is left. For unshared contents. Single values that take
  // long are left to the reclaimer.
  bool free_some(std::size_t keys, base::Reclaimer* reclaimer);

  ExpiryIndex expiry;
  std::int64_t bytes = 0;  // of all entries, values and segments: what a flush frees

 private:
  std::unique_ptr<Table[]> tables_;
  std::uint32_t table_count_;
  std::vector<std::uint64_t> occupied_;
  // How far free_some has come in the first occupied table.
  std::size_t next_segment_ = 0;
};

// Lives as long as its keyspace once it was used, because any thread may read the counters.
struct Database {
  Table* tables = nullptr;  // contents->tables(), one pointer less for lookups; null: no contents
  std::unique_ptr<Contents> contents;
  base::Counter keys;
  base::Counter keys_with_expiry;
  UnixMs next_due = kNever;  // as last seen by Keyspace::publish_next_due
};

}  // namespace slotcar::keyspace
