#include "types/type.h"

#include "base/assert.h"
#include "types/cell.h"
#include "types/packed/listpack.h"

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
      return "MBbloom--";  // the name in the module that introduced the type
  }
  UNREACHABLE();
}

// A packed set is an intset or a frontpack, distinguished by their first bytes.
Encoding encoding_of(Type type, const CellView& seen) {
  if (seen.tree != nullptr) return seen.tree->encoding();
  if (type == Type::set && !seen.packed.empty() && seen.packed[0] != kFrontpackMark) {
    return Encoding::intset;
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
