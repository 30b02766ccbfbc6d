// RdbWriter: appends lengths, strings and numbers of RDB version 10 to a string; and the values of
// every type, written with it. rdb_format.h has the format of each kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/ids.h"
#include "base/long_reading.h"
#include "storage/rdb/lzf_packer.h"
#include "storage/rdb/rdb_format.h"
#include "types/cell.h"
#include "types/element.h"
#include "types/type.h"

namespace slotcar::storage {

class RdbWriter {
 public:
  explicit RdbWriter(std::string& out) : out_(out), packing_(Packing::by_library) {}
  // For many strings: packed by this packer, which must outlive the writer; null: not packed.
  RdbWriter(std::string& out, LzfPacker* packer)
      : out_(out), packer_(packer), packing_(packer ? Packing::by_packer : Packing::never) {}

  // For long values: once this many bytes have been written, `spill` is called between two elements
  // or pieces of one, and may take all the bytes away.
  void set_spill(std::size_t bytes, std::function<void()> spill) {
    spill_at_ = bytes;
    spill_ = std::move(spill);
  }
  void between_elements() {
    if (out_.size() >= spill_at_) [[unlikely]]
      spill_();
  }

  // In a file a key's name is between the kind of its value and the value.
  void name_behind_next_kind(std::string_view name) {
    name_ = name;
    has_name_ = true;
  }
  void kind(rdb::Kind kind) {
    byte(static_cast<std::uint8_t>(kind));
    if (has_name_) string(name_);
    has_name_ = false;
  }
  void byte(std::uint8_t value) { out_.push_back(static_cast<char>(value)); }
  void raw(std::string_view bytes) { out_ += bytes; }
  void length(std::uint64_t value);
  // In the shortest form: as an integer of up to 32 bits, packed by LZF, or plain. A long one, if
  // there is a spill, piece by piece.
  void string(std::string_view bytes);
  // Piece by piece, so that it is not in memory twice. A packed one is read twice, because its
  // length comes first.
  void long_string(std::string_view bytes);
  void long_string(base::LongReading& bytes);
  void integer_string(std::int64_t number);
  void element(const types::Element& element);
  // A number of 8 bytes, low byte first.
  void little_endian(std::uint64_t value);
  void time(UnixMs when) { little_endian(static_cast<std::uint64_t>(when)); }
  void score(double score);

 private:
  enum class Packing : std::uint8_t { never, by_library, by_packer };

  void big_endian(std::uint64_t value, int bytes);
  bool small_integer(std::int64_t number);
  bool pack(std::string_view bytes);
  void pack_piece(std::string_view bytes);
  template <class PieceAt>
  void pieces(std::size_t size, const PieceAt& piece_at);

  std::string& out_;
  LzfPacker* packer_ = nullptr;
  Packing packing_;
  bool has_name_ = false;
  std::string_view name_;
  std::string packed_;  // by LZF, on its way into `out_`
  std::size_t spill_at_ = SIZE_MAX;
  std::function<void()> spill_;
};

// A value: its kind, then its bytes.
void write_string(RdbWriter& out, std::string_view bytes);
void write_collection(RdbWriter& out, types::Type type, const types::CellView& seen);

// One for each type of collection; called by write_collection.
void write_list(RdbWriter& out, const types::CellView& seen);
void write_set(RdbWriter& out, const types::CellView& seen);
void write_sorted_set(RdbWriter& out, const types::CellView& seen);
void write_hash(RdbWriter& out, const types::CellView& seen);
// The same without the times of its fields, as a kind that Redis knows.
void write_hash_without_times(RdbWriter& out, const types::CellView& seen);
void write_stream(RdbWriter& out, const types::CellView& seen);
void write_bloom(RdbWriter& out, const types::CellView& seen);

}  // namespace slotcar::storage
