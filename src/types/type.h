// The types of values, and Redis's names for their encodings.
#pragma once

#include <cstdint>
#include <string_view>

namespace slotcar::types {

enum class Type : std::uint8_t { string, list, set, sorted_set, hash, stream, bloom };

// As OBJECT ENCODING prints it.
enum class Encoding : std::uint8_t {
  integer,
  embstr,
  raw,
  listpack,
  quicklist,
  hashtable,
  intset,
  skiplist,
  stream,
};

struct CellView;

std::string_view type_name(Type type);              // TYPE: "string", "zset"...
std::string_view encoding_name(Encoding encoding);  // "int", "embstr"...
// The encoding of a stored collection.
Encoding encoding_of(Type type, const CellView& seen);

}  // namespace slotcar::types
