// LZF, as RDB strings are packed by it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace slotcar::storage {

// Appends the packed bytes to `out` and answers true if they are at least four bytes shorter; else
// leaves `out` as it was.
bool lzf_pack(std::string_view bytes, std::string& out);

// Whether so few packed bytes can say so many: to be asked before memory is taken on their word.
bool lzf_may_unpack_to(std::size_t packed_size, std::size_t size);
// Fills `size` bytes at `out`; false if the packed bytes are broken or say another size.
bool lzf_unpack(std::string_view packed, char* out, std::size_t size);

}  // namespace slotcar::storage
