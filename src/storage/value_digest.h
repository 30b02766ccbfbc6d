// A digest of a value: equal for values that a client cannot distinguish, whatever their encoding
// and, where order does not matter, whatever the order of their elements. For DEBUG DIGEST and for
// tests; it reads every element.
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
