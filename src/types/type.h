// What kinds of values there are, and how Redis names their encodings.
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
// Of a collection, as it lies there.
Encoding encoding_of(Type type, const CellView& seen);

}  // namespace slotcar::types
