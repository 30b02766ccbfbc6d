// LZF, the compression of RDB strings.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace slotcar::storage {

// Appends the packed bytes to `out` and returns true if they are at least four bytes shorter; else
// leaves `out` unchanged.
bool lzf_pack(std::string_view bytes, std::string& out);

// Whether this many packed bytes can expand to this size; checked before memory is allocated.
bool lzf_may_unpack_to(std::size_t packed_size, std::size_t size);
// Fills `size` bytes at `out`; false if the packed bytes are broken or expand to another size.
bool lzf_unpack(std::string_view packed, char* out, std::size_t size);

}  // namespace slotcar::storage
