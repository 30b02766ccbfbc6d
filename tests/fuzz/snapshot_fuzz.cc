// Any input as a snapshot's file is refused with an offset inside it, or its keys are found; each
// value is refused or built. Read in small pieces it gives the same keys and the same error as in
// one. The built values are written as a snapshot and read back the same.
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "memory_disk.h"
#include "storage/snapshot/snapshot_encoder.h"
#include "storage/snapshot/snapshot_reader.h"
#include "storage/value_digest.h"

namespace {

namespace storage = slotcar::storage;
namespace types = slotcar::types;
using slotcar::fuzz::MemoryDisk;

storage::ValueDigest digest_of(const storage::RdbValue& value) {
  return value.type == types::Type::string
             ? storage::digest_of_string(value.string.view())
             : storage::digest_of_collection(value.type, value.cell.view());
}

struct Found {
  std::string key;
  std::uint64_t at = 0;
  bool built = false;
  storage::ValueDigest digest;
  friend bool operator==(const Found&, const Found&) = default;
};

struct Run : storage::SnapshotVisitor {
  std::vector<Found> keys;
  std::string others;
  std::string error;
  std::string written = "REDIS0010";  // what was built, as a file

  void on_aux(std::string_view name, std::string_view value) override {
    others.append(name).append("=").append(value).append(";");
  }
  void on_hint(slotcar::DbIndex, std::uint64_t, std::uint64_t) override { others += "hint;"; }
  void on_function(std::string_view library) override { others.append(library).append(";"); }
  void on_skipped(const std::string& what) override { others.append(what).append(";"); }

  void keep(const storage::RawEntry& entry, const storage::RdbValue& value) {
    storage::SnapshotEncoder out(written, true);
    if (value.type != types::Type::string) {
      return out.collection(entry.key, value.type, value.cell.view(), entry.notes);
    }
    types::StringRef string;
    string.text = value.string.view();
    out.string(entry.key, string, entry.notes);
  }

  void read(MemoryDisk& disk, std::size_t batch_bytes) {
    const types::Settings settings;
    auto reader = storage::SnapshotReader::open(disk, "d/dump.rdb", *this,
                                                {.batch_bytes = batch_bytes, .skip_modules = true});
    if (!reader) {
      error = reader.error().message;
      return;
    }
    storage::SnapshotBatch batch;
    for (;;) {
      auto more = (*reader)->next(batch);
      if (!more) error = more.error().message;
      if (!more || !*more) return;
      for (const storage::RawEntry& entry : batch.entries()) {
        const auto value = storage::build_value(entry, {settings});
        keys.push_back({std::string(entry.key), entry.at, value.has_value()});
        ASSERT(entry.at < (*reader)->size());
        if (!value) continue;
        keys.back().digest = digest_of(*value);
        keep(entry, *value);
      }
    }
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  MemoryDisk disk;
  std::string& bytes = disk.files["dump.rdb"];
  bytes.assign(reinterpret_cast<const char*>(data), size);
  Run whole;
  whole.read(disk, 1 << 13);
  Run pieces;
  pieces.read(disk, 1 + size % 64);
  // The error of a file is found sooner if less of it is read at once, but it is the same one.
  ASSERT(whole.error == pieces.error);
  ASSERT(!whole.error.empty() || (whole.keys == pieces.keys && whole.others == pieces.others));

  bytes = whole.written + std::string("\xff\0\0\0\0\0\0\0\0", 9);
  Run again;
  again.read(disk, 1 << 13);
  ASSERT(again.error.empty());
  std::size_t at = 0;
  for (const Found& found : whole.keys) {
    if (!found.built) continue;
    ASSERT(at < again.keys.size() && again.keys[at].key == found.key);
    ASSERT(again.keys[at].built && again.keys[at].digest == found.digest);
    ++at;
  }
  ASSERT(at == again.keys.size());
  return 0;
}
