// Settings of the data types: when a packed encoding becomes a tree. Changed by CONFIG SET at any
// time, each field read on its own; a value keeps its encoding until it is next changed.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/hash.h"

namespace slotcar::types {

struct Settings {
  std::atomic<std::int64_t> hash_max_listpack_entries{512};
  std::atomic<std::int64_t> hash_max_listpack_value{64};
  std::atomic<std::int64_t> set_max_intset_entries{512};
  std::atomic<std::int64_t> set_max_listpack_entries{128};
  std::atomic<std::int64_t> set_max_listpack_value{64};
  std::atomic<std::int64_t> zset_max_listpack_entries{128};
  std::atomic<std::int64_t> zset_max_listpack_value{64};
  std::atomic<std::int64_t> list_max_listpack_size{-2};  // < 0: 4, 8, 16, 32, 64 KiB; else elements
  std::atomic<std::int64_t> stream_node_max_bytes{4096};
  std::atomic<std::int64_t> stream_node_max_entries{100};
  std::atomic<std::int64_t> hll_sparse_max_bytes{3000};

  base::HashSeed hash_seed;  // set once, before anything is stored
};

}  // namespace slotcar::types
