#include "types/type.h"

#include <cstring>

#include "base/assert.h"
#include "types/cell.h"

namespace slotcar::types {

std::string_view type_name(Type type) {
  switch (type) {
    case Type::string:
      return "string";
    case Type::list:
      return "list";
    case Type::set:
      return "set";
    case Type::sorted_set:
      return "zset";
    case Type::hash:
      return "hash";
    case Type::stream:
      return "stream";
    case Type::bloom:
      return "MBbloom--";  // what the module that first had the type answers
  }
  UNREACHABLE();
}

// A packed set is an intset or a listpack. Both begin with four bytes: the width of an integer (2,
// 4 or 8), or the size of the whole, which is more.
Encoding encoding_of(Type type, const CellView& seen) {
  if (seen.tree != nullptr) return seen.tree->encoding();
  if (type == Type::set && seen.packed.size() >= 4) {
    std::uint32_t first = 0;
    std::memcpy(&first, seen.packed.data(), sizeof first);
    if (first == 2 || first == 4 || first == 8) return Encoding::intset;
  }
  return Encoding::listpack;
}

std::string_view encoding_name(Encoding encoding) {
  switch (encoding) {
    case Encoding::integer:
      return "int";
    case Encoding::embstr:
      return "embstr";
    case Encoding::raw:
      return "raw";
    case Encoding::listpack:
      return "listpack";
    case Encoding::quicklist:
      return "quicklist";
    case Encoding::hashtable:
      return "hashtable";
    case Encoding::intset:
      return "intset";
    case Encoding::skiplist:
      return "skiplist";
    case Encoding::stream:
      return "stream";
  }
  UNREACHABLE();
}

}  // namespace slotcar::types
