// Key: a key as passed to the keyspace, with its hash and slot computed once.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/hash.h"
#include "base/ids.h"

namespace slotcar::keyspace {

struct Key {
  std::string_view name;
  std::uint64_t hash = 0;  // base::hash_bytes(name, the node's seed)
  Slot slot;
};

}  // namespace slotcar::keyspace
