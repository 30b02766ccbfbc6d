// LZF has no frame around it: what stands in a packed string are only bytes and references to a few
// thousand bytes before. So pieces that were packed each for itself are, one after the other, the
// packed whole.
#include <algorithm>

#include "storage/rdb_writer.h"

namespace slotcar::storage {

namespace {

// Packed in one go, about a tenth of a millisecond. References do not reach out of it.
constexpr std::size_t kPieceBytes = 32 * 1024;

}  // namespace

void RdbWriter::long_string(base::LongReading& bytes) {
  std::string piece;
  const auto read = [&](std::size_t at) {
    piece.resize(std::min(kPieceBytes, bytes.size() - at));
    bytes.read(at, piece.data(), piece.size());
  };
  std::size_t packed_size = 0;
  if (packing_ != Packing::never) {
    for (std::size_t at = 0; at < bytes.size(); at += kPieceBytes) {
      read(at);
      pack_piece(piece);
      packed_size += packed_.size();
      rest();
    }
  }
  const bool packs = packing_ != Packing::never && packed_size < bytes.size();
  if (packs) {
    byte(rdb::kLzf);
    length(packed_size);
  }
  length(bytes.size());
  for (std::size_t at = 0; at < bytes.size(); at += kPieceBytes) {
    read(at);
    bytes.release_before(at + piece.size());
    if (packs) pack_piece(piece);
    raw(packs ? packed_ : piece);
    rest();
  }
}

void RdbWriter::pack_piece(std::string_view bytes) {
  if (packing_ == Packing::by_packer) return packer_->pack_piece(bytes, packed_);
  LzfPacker().pack_piece(bytes, packed_);
}

}  // namespace slotcar::storage
