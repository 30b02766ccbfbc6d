// SnapshotReader: reads a file in Redis's format, ours or Redis's, versions 1 to 11, from its first
// byte to its checksum, in batches. Finding the keys and building their values are two steps, so
// that many threads can share the work:
//
//   next()         on one thread: bytes from the disk, and the position of each key in them
//   build_value()  on any thread: one of those keys, its value made by the types' own classes
//
// A batch owns its bytes; its entries point into them. It may be handed to another thread,
// and reused afterwards. Memory: a batch is about `batch_bytes`, or as large as the largest
// key.
//
// Errors give the file and the offset of the first byte that is invalid. A file that ends early, or
// whose checksum is wrong, is an error of the last `next`. A caller that must not keep data of a
// damaged file has to wait for the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "runtime/disk.h"
#include "storage/rdb/rdb_format.h"
#include "storage/rdb/rdb_reader.h"
#include "storage/rdb/rdb_scan.h"
#include "storage/snapshot/snapshot_format.h"

namespace slotcar::storage {

// A key as it is in the file. Points into its batch.
struct RawEntry {
  std::string_view key;
  std::string_view value;  // its bytes as rdb_format.h says, without its kind
  std::string_view times;  // of its fields or consumers (snapshot_format.h); empty: none
  KeyNotes notes;
  std::uint64_t at = 0;  // in the file
  DbIndex db;
  rdb::Kind kind = rdb::Kind::string;
};

class SnapshotBatch {
 public:
  const std::vector<RawEntry>& entries() const { return entries_; }

 private:
  friend class SnapshotReader;
  std::string_view bytes() const { return {bytes_.get(), size_}; }
  void clear();
  // Keeps the contents.
  void reserve(std::size_t capacity);

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  std::deque<std::string> texts_;  // keys that are packed in the file
  std::vector<RawEntry> entries_;
};

// The other items of a file: delivered on the reader's thread, in the file's order, within `next`.
class SnapshotVisitor {
 public:
  virtual ~SnapshotVisitor() = default;
  virtual void on_aux(std::string_view /*name*/, std::string_view /*value*/) {}
  // How many keys the database will have, of which so many with an expiry.
  virtual void on_hint(DbIndex /*db*/, std::uint64_t /*keys*/, std::uint64_t /*with_expiry*/) {}
  virtual void on_function(std::string_view /*library*/) {}
  // Something that cannot be kept; a sentence for the server's log.
  virtual void on_skipped(const std::string& /*what*/) {}
};

class SnapshotReader {
 public:
  struct Options {
    std::size_t batch_bytes = 1024 * 1024;
    // Keys with values of modules: false, the file is refused; true, they are skipped.
    bool skip_modules = false;
  };
  // The visitor must outlive the reader.
  static Result<std::unique_ptr<SnapshotReader>> open(runtime::Disk& disk, const std::string& path,
                                                      SnapshotVisitor& visitor,
                                                      const Options& options);

  // The next keys; possibly none, if only other items came. False: the file was read to its end,
  // and its checksum is right.
  Result<bool> next(SnapshotBatch& batch);

  const std::string& path() const { return path_; }
  std::uint16_t version() const { return version_; }
  std::uint64_t size() const { return file_size_; }
  // Bytes read so far; at the end: the end of the RDB part (an AOF continues there with commands).
  std::uint64_t at() const { return offset_; }
  std::uint64_t crc() const { return crc_; }  // of what was read; at the end, the file's
  // Any thread: the error for an entry that `build_value` refuses.
  Error damaged(const RawEntry& entry) const;

 private:
  SnapshotReader(std::unique_ptr<runtime::File> file, std::string path, std::uint64_t size,
                 SnapshotVisitor& visitor, const Options& options);
  Error error(std::uint64_t at, std::string_view why) const;
  Status read_header();
  Status fill(SnapshotBatch& batch, std::size_t capacity);
  Result<std::size_t> find_entries(SnapshotBatch& batch);

  // What came before the key itself and belongs to it.
  struct Before {
    KeyNotes notes;
    std::string_view times;
  };
  void item(RdbScan& scan, SnapshotBatch& batch);
  bool opcode(rdb::Opcode opcode, RdbScan& scan, SnapshotBatch& batch, Before& before);
  bool aux(RdbScan& scan, SnapshotBatch& batch, Before& before);
  void key(std::size_t began, rdb::Kind kind, RdbScan& scan, SnapshotBatch& batch,
           const Before& before);
  void foreign_key(std::size_t at, std::string_view bytes, RdbScan& scan, SnapshotBatch& batch);
  void module_aux(RdbScan& scan);
  void module_key(std::size_t began, std::string_view name, std::string_view value, RdbScan& scan);
  void select(RdbScan& scan);
  void hint(RdbScan& scan);
  void end(RdbScan& scan);
  std::string_view text(RdbScan& scan, SnapshotBatch& batch);
  std::string_view decoded(std::size_t at, std::string_view raw, RdbScan& scan,
                           SnapshotBatch& batch);
  Status check_crc(std::string_view bytes);

  std::unique_ptr<runtime::File> file_;
  std::string path_;
  std::uint64_t file_size_;
  SnapshotVisitor& visitor_;
  Options options_;
  std::uint16_t version_ = 0;
  std::uint64_t offset_ = 0;  // in the file, of the first byte not yet consumed
  std::string rest_;          // the bytes from there on that were read already
  DbIndex db_;
  std::uint64_t crc_ = 0;
  bool ended_ = false;
  std::size_t end_at_ = 0;      // in the batch, behind the end's opcode
  std::uint64_t crc_told_ = 0;  // the checksum in the file; 0: there is none
};

// The key's value. Nothing: it is invalid; SnapshotReader::damaged makes the error.
std::optional<RdbValue> build_value(const RawEntry& entry, const RdbSurroundings& around);
// A string's bytes without a value being made: a view into the entry, or into `scratch`.
std::optional<std::string_view> string_of(const RawEntry& entry, std::string& scratch);

}  // namespace slotcar::storage
