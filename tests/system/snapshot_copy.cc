// snapshot_copy FROM DIRECTORY NAME [plain] [ours]: reads a file in Redis's format, builds every
// value and writes it again as a snapshot. `plain`: strings are not packed. `ours`: with keys that
// only this server knows. For rdb_files.py, which asks Redis whether both files have the same keys.
#include <cstdio>
#include <string>
#include <string_view>

#include "runtime/real/real_disk.h"
#include "storage/snapshot/snapshot_encoder.h"
#include "storage/snapshot/snapshot_file.h"
#include "storage/snapshot/snapshot_reader.h"
#include "types/bloom.h"
#include "types/hash.h"

namespace {

using namespace slotcar;

struct Job : storage::SnapshotVisitor {
  std::string from;
  std::string directory;
  std::string name;
  bool plain = false;
  bool ours = false;
  types::Settings settings;

  void on_skipped(const std::string& what) override { std::puts(what.c_str()); }

  static void encode(const storage::RawEntry& entry, const storage::RdbValue& value,
                     storage::SnapshotEncoder& out) {
    out.select(entry.db);
    if (value.type != types::Type::string) {
      return out.collection(entry.key, value.type, value.cell.view(), entry.notes);
    }
    types::StringRef string;
    string.text = value.string.view();
    out.string(entry.key, string, entry.notes);
  }

  void add_ours(storage::SnapshotEncoder& out) {
    out.select(DbIndex{0});
    types::OwnCell hash;
    for (int i = 0; i < 1000; ++i) {
      const UnixMs due = i % 3 == 0 ? 4'000'000'000'000 + i : kNever;
      types::Hash(hash, settings).put("field" + std::to_string(i), "value", due);
    }
    out.collection("hash with times", types::Type::hash, hash.view(), {});
    types::OwnCell bloom;
    auto filter = types::BloomFilter::make({.error_rate = 0.01, .capacity = 1000});
    filter->add("x");
    bloom.become_tree(std::move(filter));
    out.collection("bloom filter", types::Type::bloom, bloom.view(), {});
  }

  Status run() {
    runtime::RealDisk disk;
    auto reader = storage::SnapshotReader::open(disk, from, *this, {});
    if (!reader) return reader.error();
    auto file = storage::SnapshotFile::create(
        disk, directory, name, 1, {.server_version = "7.0.0", .created = 1'700'000'000'000});
    if (!file) return file.error();
    std::string piece;
    storage::SnapshotEncoder out(piece, !plain);
    storage::SnapshotBatch batch;
    for (;;) {
      auto more = (*reader)->next(batch);
      if (!more) return more.error();
      if (!*more) break;
      for (const storage::RawEntry& entry : batch.entries()) {
        const auto value = storage::build_value(entry, {settings});
        if (!value) return (*reader)->damaged(entry);
        encode(entry, *value, out);
      }
      if (Status status = (*file)->append(piece); !status) return status;
      piece.clear();
    }
    if (ours) add_ours(out);
    if (Status status = (*file)->append(piece); !status) return status;
    if (Status status = (*file)->seal(storage::SnapshotPlace{Lsn{1}, Lsn{2}}); !status) {
      return status;
    }
    return (*file)->publish();
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  Job job;
  job.from = argv[1];
  job.directory = argv[2];
  job.name = argv[3];
  for (int i = 4; i < argc; ++i) {
    job.plain |= std::string_view(argv[i]) == "plain";
    job.ours |= std::string_view(argv[i]) == "ours";
  }
  const Status status = job.run();
  if (!status) std::fprintf(stderr, "%s\n", status.error().message.c_str());
  return status ? 0 : 1;
}
