// A digest of a value: equal for values that a user cannot tell apart, however they are kept and in
// whatever order their elements lie, where order means nothing. For DEBUG DIGEST and for tests; it
// looks at every element.
#pragma once

#include <cstdint>
#include <string_view>

#include "types/cell.h"
#include "types/type.h"

namespace slotcar::storage {

struct ValueDigest {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend bool operator==(const ValueDigest&, const ValueDigest&) = default;
};

ValueDigest digest_of_string(std::string_view bytes);
ValueDigest digest_of_collection(types::Type type, const types::CellView& seen);

}  // namespace slotcar::storage
