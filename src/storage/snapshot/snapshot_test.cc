// Snapshots written, read again, cut, damaged, and written on a disk that fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "runtime/sim/sim_disk.h"
#include "runtime/sim/sim_world.h"
#include "storage/rdb/crc64.h"
#include "storage/snapshot/snapshot_file.h"
#include "storage/snapshot/snapshot_reader.h"
#include "storage/testing/sample_values.h"

namespace slotcar::storage {
namespace {

using namespace std::string_literals;
using runtime::OpenMode;
using runtime::SimDisk;
using runtime::SimWorld;

constexpr char kName[] = "dump.rdb";

SnapshotFacts facts() {
  return {.server_version = "7.2.0",
          .created = 1'700'000'000'123,
          .used_memory = 1,
          .node_id = "node",
          .epoch = Epoch{7}};
}

Result<std::unique_ptr<SnapshotFile>> create(runtime::Disk& disk, bool checksum = true) {
  SnapshotFacts what = facts();
  what.checksum = checksum;
  return SnapshotFile::create(disk, ".", kName, 7, what);
}

Status write_samples(runtime::Disk& disk, const SampleValues& samples, bool pack = true,
                     bool checksum = true) {
  auto file = create(disk, checksum);
  if (!file) return file.error();
  std::string piece;
  SnapshotEncoder out(piece, pack);
  for (const SampleKey& key : samples.keys()) {
    SampleValues::encode(key, out);
    if (Status status = (*file)->append(piece); !status) return status;
    piece.clear();
  }
  if (Status s = (*file)->seal(SnapshotPlace{Lsn{100}, Lsn{120}}); !s) return s;
  return (*file)->publish();
}

std::string contents(runtime::Disk& disk, const std::string& name) {
  auto file = disk.open(name, OpenMode::read);
  if (!file) return "";
  std::string bytes(*(*file)->size(), '\0');
  EXPECT_EQ(*(*file)->read_at(0, bytes.data(), bytes.size()), bytes.size());
  return bytes;
}

void put(runtime::Disk& disk, const std::string& bytes) {
  auto file = disk.open(kName, OpenMode::create);
  ASSERT_TRUE((*file)->write_at(0, bytes).ok());
}

std::string with_crc(std::string bytes) {
  const std::uint64_t crc = crc64(0, bytes);
  return bytes.append(reinterpret_cast<const char*>(&crc), sizeof crc);
}

struct Seen : SnapshotVisitor {
  struct Key {
    types::Type type;
    ValueDigest digest;
    KeyNotes notes;
    DbIndex db;
  };
  std::map<std::string, Key> keys;
  std::map<std::string, std::string> aux;
  std::vector<std::string> functions;
  std::vector<std::string> skipped;
  std::string hints;

  void on_aux(std::string_view name, std::string_view value) override {
    aux[std::string(name)] = value;
  }
  void on_hint(DbIndex db, std::uint64_t many, std::uint64_t with_expiry) override {
    hints += std::to_string(db.value) + ' ' + std::to_string(many) + ' ' +
             std::to_string(with_expiry) + ';';
  }
  void on_function(std::string_view library) override { functions.emplace_back(library); }
  void on_skipped(const std::string& what) override { skipped.push_back(what); }
};

Status read_into(runtime::Disk& disk, Seen& seen, const SnapshotReader::Options& options = {}) {
  auto reader = SnapshotReader::open(disk, kName, seen, options);
  if (!reader) return reader.error();
  const types::Settings settings;
  SnapshotBatch batch;
  for (;;) {
    auto more = (*reader)->next(batch);
    if (!more) return more.error();
    if (!*more) return {};
    for (const RawEntry& entry : batch.entries()) {
      auto value = build_value(entry, {settings});
      if (!value) return (*reader)->damaged(entry);
      const ValueDigest digest = value->type == types::Type::string
                                     ? digest_of_string(value->string.view())
                                     : digest_of_collection(value->type, value->cell.view());
      const bool is_new =
          seen.keys.emplace(entry.key, Seen::Key{value->type, digest, entry.notes, entry.db})
              .second;
      EXPECT_TRUE(is_new) << entry.key;
    }
  }
}

std::string error_of(runtime::Disk& disk, const SnapshotReader::Options& options = {}) {
  Seen seen;
  const Status status = read_into(disk, seen, options);
  return status.ok() ? "" : status.error().message;
}

struct World {
  SimWorld world{1};
  SimDisk disk{world};
  types::Settings settings;
  SampleValues samples{settings};
};

void expect_samples(const Seen& seen, const SampleValues& samples) {
  EXPECT_EQ(seen.keys.size(), samples.keys().size());
  for (const SampleKey& sample : samples.keys()) {
    const auto found = seen.keys.find(sample.key);
    ASSERT_NE(found, seen.keys.end()) << sample.key;
    EXPECT_EQ(found->second.type, sample.type) << sample.key;
    EXPECT_EQ(found->second.digest, sample.digest()) << sample.key;
    EXPECT_EQ(found->second.db, sample.db) << sample.key;
    EXPECT_EQ(found->second.notes.expires_at, sample.notes.expires_at) << sample.key;
    EXPECT_EQ(found->second.notes.idle_seconds, sample.notes.idle_seconds) << sample.key;
    EXPECT_EQ(found->second.notes.frequency, sample.notes.frequency) << sample.key;
  }
}

// The writer takes long values away bit by bit: the same bytes, and never all at once.
TEST(Snapshot, LongValuesAreGivenInPieces) {
  const types::Settings settings;
  const SampleValues samples(settings);
  std::string whole;
  SnapshotEncoder at_once(whole, true);
  for (const SampleKey& key : samples.keys()) SampleValues::encode(key, at_once);

  constexpr std::size_t kBytes = 200;
  std::string joined;
  std::string piece;
  std::size_t pieces = 0;
  SnapshotEncoder bit_by_bit(piece, true);
  bit_by_bit.set_spill(kBytes, [&] {
    EXPECT_GE(piece.size(), kBytes);
    joined += piece;
    piece.clear();
    ++pieces;
  });
  for (const SampleKey& key : samples.keys()) SampleValues::encode(key, bit_by_bit);
  EXPECT_EQ(joined + piece, whole);
  EXPECT_GT(pieces, 20u);
}

std::vector<SampleKey> long_samples(const types::Settings& settings) {
  std::string noise;
  for (unsigned i = 0; noise.size() < 500'000; ++i) {
    noise.push_back(static_cast<char>(i * 2654435761u >> 24));
  }
  std::vector<SampleKey> keys;
  keys.push_back({noise.substr(0, 200'000), types::Type::string, noise});
  keys.push_back({"hash", types::Type::hash});
  types::Hash hash(keys.back().cell, settings);
  for (int i = 0; i < 20'000; ++i) {
    hash.put("field" + std::to_string(i), "value", UnixMs{4'000'000'000'000} + i);
  }
  hash.put("long", noise, kNever);
  hash.put("dull", std::string(300'000, 'd'), kNever);
  keys.push_back({"list", types::Type::list});
  const std::string_view view = noise;
  types::List(keys.back().cell, settings).push(types::ListEnd::tail, {&view, 1});
  keys.push_back({"set", types::Type::set});
  types::Set(keys.back().cell, settings).add(types::Element::of(noise));
  keys.push_back({"bloom", types::Type::bloom});
  auto filter = types::BloomFilter::make({.error_rate = 0.01, .capacity = 1'000'000});
  for (int i = 0; i < 50'000; ++i) filter->add(std::to_string(i));
  keys.back().cell.become_tree(std::move(filter));
  return keys;
}

TEST(Snapshot, NothingIsSoLongThatItIsGivenWhole) {
  for (const bool pack : {true, false}) {
    World w;
    const std::vector<SampleKey> keys = long_samples(w.settings);
    auto file = create(w.disk);
    std::string piece;
    std::size_t longest = 0;
    SnapshotEncoder out(piece, pack);
    const auto take = [&] {
      longest = std::max(longest, piece.size());
      ASSERT_TRUE((*file)->append(piece).ok());
      piece.clear();
    };
    out.set_spill(16 * 1024, take);
    for (const SampleKey& key : keys) SampleValues::encode(key, out);
    take();
    ASSERT_TRUE((*file)->seal({}).ok());
    ASSERT_TRUE((*file)->publish().ok());
    EXPECT_LT(longest, 100'000u);
    Seen seen;
    const Status status = read_into(w.disk, seen);
    ASSERT_TRUE(status.ok()) << status.error().message;
    for (const SampleKey& key : keys) {
      const auto found = seen.keys.find(key.key);
      ASSERT_NE(found, seen.keys.end()) << key.key.substr(0, 20);
      EXPECT_EQ(found->second.digest, key.digest()) << key.key.substr(0, 20);
    }
  }
}

TEST(Snapshot, EveryTypeComesBack) {
  for (const bool pack : {true, false}) {
    for (const std::size_t batch : {std::size_t{16}, std::size_t{1000}, std::size_t{1} << 20}) {
      World w;
      ASSERT_TRUE(write_samples(w.disk, w.samples, pack).ok());
      Seen seen;
      const Status status = read_into(w.disk, seen, {.batch_bytes = batch});
      ASSERT_TRUE(status.ok()) << status.error().message;
      expect_samples(seen, w.samples);
      EXPECT_EQ(seen.aux["redis-ver"], "7.2.0");
      EXPECT_EQ(seen.aux["ctime"], "1700000000");
      EXPECT_EQ(seen.aux["slotcar-node-id"], "node");
      EXPECT_EQ(seen.aux["slotcar-epoch"], "7");
      EXPECT_EQ(seen.aux["slotcar-lsn-begin"], "100");
      EXPECT_EQ(seen.aux["slotcar-lsn-settled"], "120");
      EXPECT_TRUE(seen.skipped.empty());
    }
  }
}

// What Redis cannot say of a stream either: when a consumer was active. (The digest leaves it out.)
TEST(Snapshot, ActivityOfConsumersComesBack) {
  World w;
  ASSERT_TRUE(write_samples(w.disk, w.samples).ok());
  Seen seen;
  auto reader = SnapshotReader::open(w.disk, kName, seen, {});
  SnapshotBatch batch;
  int found = 0;
  while (*(*reader)->next(batch)) {
    for (const RawEntry& entry : batch.entries()) {
      if (entry.key != "stream") continue;
      const auto value = build_value(entry, {w.settings});
      const auto& stream = *static_cast<const types::StreamObject*>(value->cell.view().tree);
      stream.for_each_group([&](std::string_view, const types::ConsumerGroup& group) {
        EXPECT_EQ(group.consumer(*group.find("ann")).active_at, 4500);
        EXPECT_EQ(group.consumer(*group.find("bob")).active_at, -1);
        EXPECT_EQ(group.consumer(*group.find("bob")).seen_at, 6000);
        ++found;
      });
    }
  }
  EXPECT_EQ(found, 2);
}

TEST(Snapshot, WithoutChecksumItsPlaceHasZeros) {
  World w;
  ASSERT_TRUE(write_samples(w.disk, w.samples, true, false).ok());
  const std::string bytes = contents(w.disk, kName);
  EXPECT_TRUE(bytes.ends_with("\xff\0\0\0\0\0\0\0\0"s));
  EXPECT_EQ(error_of(w.disk), "");
}

TEST(Snapshot, CutAnywhereItIsRefused) {
  World w;
  ASSERT_TRUE(write_samples(w.disk, w.samples).ok());
  const std::string bytes = contents(w.disk, kName);
  for (std::size_t size = 0; size < bytes.size(); size += size < 3000 ? 1 : 97) {
    put(w.disk, bytes.substr(0, size));
    const std::string error = error_of(w.disk, {.batch_bytes = 4096});
    ASSERT_TRUE(error.starts_with("dump.rdb: at byte ")) << size << ' ' << error;
    const auto byte = std::stoul(error.substr(18));
    ASSERT_LE(byte, size);
  }
  for (std::size_t cut = 1; cut < 400; ++cut) {
    put(w.disk, bytes.substr(0, bytes.size() - cut));
    ASSERT_NE(error_of(w.disk), "") << cut;
  }
}

TEST(Snapshot, NoBitFlipsUnseen) {
  World w;
  ASSERT_TRUE(write_samples(w.disk, w.samples).ok());
  std::string bytes = contents(w.disk, kName);
  for (std::size_t at = 0; at < bytes.size(); at += at < 2000 ? 1 : 211) {
    const char before = bytes[at];
    bytes[at] = static_cast<char>(before ^ 1 << at % 8);
    put(w.disk, bytes);
    ASSERT_NE(error_of(w.disk), "") << at;
    bytes[at] = before;
  }
}

// --- files of others ---------------------------------------------------------------------------

TEST(Snapshot, HeadersOfOthers) {
  World w;
  put(w.disk, "");
  EXPECT_EQ(error_of(w.disk), "dump.rdb: at byte 0: no snapshot, nor any file of Redis, begins so");
  put(w.disk, "REDIS00");
  EXPECT_EQ(error_of(w.disk), "dump.rdb: at byte 7: the file ends in its header");
  put(w.disk, "REDIS00x9");
  EXPECT_EQ(error_of(w.disk), "dump.rdb: at byte 5: the version is not a number");
  put(w.disk, "REDIS0012\xff");
  EXPECT_EQ(error_of(w.disk),
            "dump.rdb: at byte 5: version 12 of the format is not known here; 1 to 11 are");
  put(w.disk, "REDIS0004\xff");  // before there were checksums
  EXPECT_EQ(error_of(w.disk), "");
  put(w.disk, with_crc("REDIS0005\xff"));
  EXPECT_EQ(error_of(w.disk), "");
}

TEST(Snapshot, OpcodesOfOthers) {
  World w;
  put(w.disk, with_crc("REDIS0011"
                       "\xfa\3foo\3bar"
                       "\xf5\4code"
                       "\xfe\2\xfb\7\1"
                       "\xf4\1\2\3"                                             // a slot's hint
                       "\xf7\x81\x25\xa5\x3c\x8e\xb1\x96\x34\x01\2\2\5\3hey\0"  // of a module
                       "\xfd\1\0\0\0\0\1s\1v"
                       "\xfc\2\0\0\0\0\0\0\0\0\1m\1w"
                       "\1\1e\0"  // a list of nothing
                       "\xff"s));
  Seen seen;
  const Status status = read_into(w.disk, seen);
  ASSERT_TRUE(status.ok()) << status.error().message;
  EXPECT_EQ(seen.aux["foo"], "bar");
  EXPECT_EQ(seen.functions, std::vector<std::string>{"code"});
  EXPECT_EQ(seen.hints, "2 7 1;");
  ASSERT_EQ(seen.skipped.size(), 2u);
  EXPECT_NE(seen.skipped[0].find("what the module '"), std::string::npos);
  EXPECT_NE(seen.skipped[1].find("key 'e' has no elements"), std::string::npos);
  EXPECT_EQ(seen.keys.at("s").notes.expires_at, 1000);
  EXPECT_EQ(seen.keys.at("m").notes.expires_at, 2);
  EXPECT_EQ(seen.keys.at("m").db, DbIndex{2});
}

TEST(Snapshot, ValuesOfModules) {
  World w;
  put(w.disk,
      with_crc("REDIS0009\7\1k\x81\x25\xa5\x3c\x8e\xb1\x96\x34\x01\4abcdefgh\0\0\1a\1b\xff"s));
  EXPECT_EQ(error_of(w.disk),
            "dump.rdb: at byte 9: a key whose value is a module's, which nobody here can read");
  Seen seen;
  ASSERT_TRUE(read_into(w.disk, seen, {.skip_modules = true}).ok());
  ASSERT_EQ(seen.skipped.size(), 1u);
  EXPECT_TRUE(seen.keys.contains("a"));
  put(w.disk, with_crc("REDIS0009\6\1k\0\xff"s));
  EXPECT_TRUE(error_of(w.disk).starts_with("dump.rdb: at byte 9: a module's value in the form"));
}

TEST(Snapshot, MistakesAreNamedWithTheirByte) {
  World w;
  const auto error = [&](const std::string& bytes) {
    put(w.disk, with_crc("REDIS0010" + bytes));
    return error_of(w.disk);
  };
  EXPECT_EQ(error("\0\1a\1b\x63\1k\1v\xff"s),
            "dump.rdb: at byte 14: no kind of value, and no opcode, has this number");
  EXPECT_EQ(error("\0\1a\x80\x7f\xff\xff\xff"
                  "b\xff"s),
            "dump.rdb: at byte 17: more bytes are promised than the file has");
  EXPECT_EQ(error("\2\1a\x80\x7f\xff\xff\xff\1b\xff"s),
            "dump.rdb: at byte 12: more elements are promised than the file has bytes for");
  EXPECT_EQ(error("\x10\1a\3bad\xff"s),
            "dump.rdb: at byte 9: the value of key 'a' (kind 16) is damaged");
  EXPECT_EQ(error("\xfe\x80\0\1\0\0\xff"s),
            "dump.rdb: at byte 10: there is no database of this number");
  EXPECT_EQ(error("\xfa\x0bslotcar-key\2\0\1\xff"s),
            "dump.rdb: at byte 22: the key within this AUX field is damaged");
  EXPECT_EQ(error(""), "dump.rdb: at byte 9: no kind of value, and no opcode, has this number");
}

// --- disks that fail ---------------------------------------------------------------------------

TEST(Snapshot, IsThereWholeOrNotAtAll) {
  const types::Settings settings;
  const SampleValues samples(settings);
  int whole = 0;
  int old = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SimWorld world(seed);
    SimDisk disk(world);
    put(disk, with_crc("REDIS0010\xff"));
    { ASSERT_TRUE((*disk.open(kName, OpenMode::read_write))->sync_data().ok()); }
    ASSERT_TRUE(disk.sync_directory("").ok());
    // The power fails at some call, which may be after all of them.
    std::uint64_t left = seed % 40;
    const auto mount = disk.mount();
    disk.set_script([&](const runtime::DiskCall&) { return left-- == 0; });
    const bool written = write_samples(*mount, samples).ok();
    disk.set_script({});
    disk.crash();
    Seen seen;
    const Status status = read_into(disk, seen);
    ASSERT_TRUE(status.ok()) << seed << ' ' << status.error().message;
    ASSERT_TRUE(seen.keys.empty() || seen.keys.size() == samples.keys().size()) << seed;
    ASSERT_TRUE(!written || !seen.keys.empty()) << seed;
    ++(seen.keys.empty() ? old : whole);
  }
  EXPECT_GT(whole, 10);
  EXPECT_GT(old, 10);
}

TEST(Snapshot, AbandonedItLeavesNothing) {
  World w;
  {
    auto file = create(w.disk);
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(*w.disk.list(""), std::vector<std::string>{"temp-7.rdb"});
    EXPECT_TRUE(snapshot::is_temporary_name("temp-7.rdb"));
  }
  EXPECT_TRUE(w.disk.list("")->empty());
  EXPECT_FALSE(snapshot::is_temporary_name("temp-.rdb"));
  EXPECT_FALSE(snapshot::is_temporary_name("dump.rdb"));
}

}  // namespace
}  // namespace slotcar::storage
