// Database: what one shard keeps of one database (SELECT n). Plain parts; the rules are the
// keyspace's.
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

// Everything that FLUSHDB throws away, as one object. It needs neither token nor Hold to be freed,
// so any thread may do it, later.
class Contents {
 public:
  explicit Contents(std::uint32_t tables);
  ~Contents();

  Table* tables() { return tables_.get(); }
  const Table* tables() const { return tables_.get(); }
  std::uint32_t table_count() const { return table_count_; }

  // Which tables have keys, so that a walk does not look into thousands of empty ones.
  void set_occupied(std::uint32_t table, bool yes);
  std::optional<std::uint32_t> next_occupied(std::uint32_t from) const;

  // Frees about so many keys; true: none is left. For contents that nobody else has any more.
  // What takes long by itself is left to the reclaimer.
  bool free_some(std::size_t keys, base::Reclaimer* reclaimer);

  ExpiryIndex expiry;
  std::int64_t bytes = 0;  // of all entries, values and segments: what a flush gives back

 private:
  std::unique_ptr<Table[]> tables_;
  std::uint32_t table_count_;
  std::vector<std::uint64_t> occupied_;
  // How far free_some has come in the first occupied table.
  std::size_t next_segment_ = 0;
};

// Lives as long as its keyspace once it was used, because any thread may read the counters.
struct Database {
  Table* tables = nullptr;  // contents->tables(), one step nearer to the lookup; null: nothing here
  std::unique_ptr<Contents> contents;
  base::Counter keys;
  base::Counter keys_with_expiry;
  UnixMs next_due = kNever;  // as last seen by Keyspace::publish_next_due
};

}  // namespace slotcar::keyspace
