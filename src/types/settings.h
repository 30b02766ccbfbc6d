// Settings of the data types: when a packed encoding becomes a tree. Changed by CONFIG SET at any
// time, each field read on its own; a value keeps its encoding until it is next changed.
#pragma once

#include <cstdint>

#include "base/hash.h"
#include "base/setting.h"

namespace slotcar::types {

struct Settings {
  base::Setting<std::int64_t> hash_max_listpack_entries{512};
  base::Setting<std::int64_t> hash_max_listpack_value{64};
  base::Setting<std::int64_t> set_max_intset_entries{512};
  base::Setting<std::int64_t> set_max_listpack_entries{128};
  base::Setting<std::int64_t> set_max_listpack_value{64};
  base::Setting<std::int64_t> zset_max_listpack_entries{128};
  base::Setting<std::int64_t> zset_max_listpack_value{64};
  base::Setting<std::int64_t> list_max_listpack_size{
      -2};  // < 0: 4, 8, 16, 32, 64 KiB; else elements
  base::Setting<std::int64_t> stream_node_max_bytes{4096};
  base::Setting<std::int64_t> stream_node_max_entries{100};
  base::Setting<std::int64_t> hll_sparse_max_bytes{3000};

  base::HashSeed hash_seed;  // set once, before anything is stored
};

}  // namespace slotcar::types
