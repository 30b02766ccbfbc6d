// LzfPacker: packs strings by LZF, many one after the other. The library's packer is made for one
// long text: its table is half a megabyte, and it looks at every byte of incompressible data. A
// snapshot packs millions of short strings, most of which cannot be packed, so this one keeps a
// small table from string to string and takes longer steps the longer it has found nothing.
//
// The table holds places in one endless text, in which each string is the next piece. So entries of
// earlier strings are recognised by their position and never have to be cleared.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace slotcar::storage {

class LzfPacker {
 public:
  // As lzf_pack (storage/rdb/lzf.h), but replaces the contents of `out`, which are garbage if it
  // returns false. Any LZF unpacker can read the result.
  bool pack(std::string_view bytes, std::string& out);
  // A piece of a longer string, whose packed pieces are concatenated. One that cannot be packed
  // becomes a little longer. The same bytes give the same piece.
  void pack_piece(std::string_view bytes, std::string& out);

 private:
  static constexpr int kTableBits = 12;

  std::size_t pack_into(std::string_view bytes, char* out, std::size_t room);

  std::array<std::uint32_t, std::size_t{1} << kTableBits> table_ = {};
  std::uint32_t begin_ = 1;  // the place of the next string's first byte
};

}  // namespace slotcar::storage
