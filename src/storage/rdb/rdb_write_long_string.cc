// LZF has no frame: a packed string consists only of literal bytes and of references to a
// few thousand bytes before. So separately packed pieces, concatenated, are the packed
// whole.
#include <algorithm>

#include "storage/rdb/rdb_writer.h"

namespace slotcar::storage {

namespace {

// Packed in one go, about a tenth of a millisecond. References do not reach out of it.
constexpr std::size_t kPieceBytes = 32 * 1024;

}  // namespace

// `piece_at(at, size, last)`: those bytes; `last`: they are not read again.
template <class PieceAt>
void RdbWriter::pieces(std::size_t size, const PieceAt& piece_at) {
  const auto each = [&](bool last, const auto& use) {
    for (std::size_t at = 0; at < size; at += kPieceBytes) {
      use(piece_at(at, std::min(kPieceBytes, size - at), last));
      if (spill_) spill_();  // the callee may take the bytes, and pause
    }
  };
  std::size_t packed_size = 0;
  if (packing_ != Packing::never) {
    each(false, [&](std::string_view piece) {
      pack_piece(piece);
      packed_size += packed_.size();
    });
  }
  const bool packs = packing_ != Packing::never && packed_size < size;
  if (packs) {
    byte(rdb::kLzf);
    length(packed_size);
  }
  length(size);
  each(true, [&](std::string_view piece) {
    if (packs) pack_piece(piece);
    raw(packs ? packed_ : piece);
  });
}

void RdbWriter::long_string(base::LongReading& bytes) {
  std::string piece;
  pieces(bytes.size(), [&](std::size_t at, std::size_t size, bool last) {
    piece.resize(size);
    bytes.read(at, piece.data(), size);
    if (last) bytes.release_before(at + size);
    return std::string_view(piece);
  });
}

void RdbWriter::long_string(std::string_view bytes) {
  pieces(bytes.size(),
         [&](std::size_t at, std::size_t size, bool) { return bytes.substr(at, size); });
}

void RdbWriter::pack_piece(std::string_view bytes) {
  if (packing_ == Packing::by_packer) return packer_->pack_piece(bytes, packed_);
  LzfPacker().pack_piece(bytes, packed_);
}

}  // namespace slotcar::storage
