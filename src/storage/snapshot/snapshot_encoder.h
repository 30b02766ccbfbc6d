// SnapshotEncoder: keys as the bytes of a snapshot's file, appended to a string; the writer of the
// file (snapshot_file.h) takes them piece by piece. Each encoding thread has its own.
//
// What version 10 of RDB cannot express is in AUX fields directly before the key (or in place of
// it). So a piece that ends behind a key contains all of it, and Redis, which skips AUX fields, can
// read the rest of the file:
//
//   a hash with times of its fields    a plain hash, and the times before it a stream
//   Redis's own format, with the consumers' active times before it a bloom filter
//   the whole key within an AUX field
//
// Memory is allocated only for the growth of the string, and for the contents of an AUX field,
// which are written twice, because their length comes first.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/ids.h"
#include "base/long_reading.h"
#include "storage/rdb/lzf_packer.h"
#include "storage/rdb/rdb_writer.h"
#include "storage/snapshot/snapshot_format.h"
#include "types/cell.h"
#include "types/string_value.h"
#include "types/type.h"

namespace slotcar::storage {

class SnapshotEncoder {
 public:
  // `out` must outlive the encoder. `pack`: rdbcompression.
  SnapshotEncoder(std::string& out, bool pack)
      : pack_(pack), writer_(out, pack ? &packer_ : nullptr) {}
  SnapshotEncoder(const SnapshotEncoder&) = delete;
  SnapshotEncoder& operator=(const SnapshotEncoder&) = delete;

  // The bytes so far may be taken away in the middle of a long value: see RdbWriter.
  void set_spill(std::size_t bytes, std::function<void()> spill) {
    writer_.set_spill(bytes, spill);
    spill_ = std::move(spill);
  }

  // The keys that follow belong to that database. Each piece begins with it, as threads mix pieces.
  void select(DbIndex db);
  // The number of keys, for the reader: useful once per database.
  void hint(std::uint64_t keys, std::uint64_t with_expiry);
  void aux(std::string_view name, std::string_view value);
  void function(std::string_view library);

  void string(std::string_view key, const types::StringRef& value, const KeyNotes& notes);
  // A string that others may be writing to.
  void long_string(std::string_view key, base::LongReading& value, const KeyNotes& notes);
  void collection(std::string_view key, types::Type type, const types::CellView& seen,
                  const KeyNotes& notes);

 private:
  using Write = std::function<void(RdbWriter&)>;
  static void opcode(RdbWriter& out, rdb::Opcode opcode) {
    out.byte(static_cast<std::uint8_t>(opcode));
  }
  static void begin_key(RdbWriter& out, std::string_view key, const KeyNotes& notes);
  // An AUX field whose value is what `write` writes; it is called twice.
  void long_aux(std::string_view name, const Write& write);
  void field_times(const types::CellView& seen);
  void active_times(const types::CellView& seen);

  bool pack_;
  LzfPacker packer_;
  RdbWriter writer_;
  std::function<void()> spill_;
};

}  // namespace slotcar::storage
