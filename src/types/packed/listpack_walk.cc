#include "types/packed/listpack_walk.h"

namespace slotcar::types {

std::size_t listpack_step_of_rare(const char* at) {
  const std::size_t size = encoded_size(at);
  // As listpack.h says: seven bits of length a byte, with Redis's bounds.
  if (size <= 127) return size + 1;
  if (size < 16383) return size + 2;
  if (size < 2097151) return size + 3;
  if (size < 268435455) return size + 4;
  return size + 5;
}

}  // namespace slotcar::types
