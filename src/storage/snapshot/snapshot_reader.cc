#include "storage/snapshot/snapshot_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "storage/rdb/crc64.h"

namespace slotcar::storage {

namespace {

RdbLimits file_limits() {
  return {limits::kFileStringBytesMax, SIZE_MAX};
}

// For messages: a key's name may be anything.
std::string shown(std::string_view name) {
  constexpr std::size_t kShownMax = 64;
  std::string out;
  for (const char c : name.substr(0, kShownMax)) {
    if (c >= ' ' && c <= '~') {
      out.push_back(c);
    } else {
      out += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(c));
    }
  }
  return name.size() > kShownMax ? out + "..." : out;
}

// Nine letters of six bits each, then ten bits of version.
std::string module_name(std::uint64_t id) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string name;
  for (int shift = 58; shift >= 10; shift -= 6) name.push_back(kLetters[id >> shift & 63]);
  return name;
}

// Old servers could write a collection that had lost its last element. Redis drops such a key.
bool is_empty_collection(rdb::Kind kind, std::string_view value) {
  switch (kind) {
    case rdb::Kind::list:
    case rdb::Kind::set:
    case rdb::Kind::sorted_set:
    case rdb::Kind::sorted_set_2:
    case rdb::Kind::hash:
    case rdb::Kind::list_quicklist:
    case rdb::Kind::list_quicklist_2:
      return value.size() == 1 && value[0] == '\0';
    default:
      return false;
  }
}

}  // namespace

// --- batches -----------------------------------------------------------------------------------

void SnapshotBatch::clear() {
  size_ = 0;
  texts_.clear();
  entries_.clear();
}

void SnapshotBatch::reserve(std::size_t capacity) {
  if (capacity <= capacity_) return;
  auto larger = std::make_unique_for_overwrite<char[]>(capacity);
  if (size_ > 0) std::memcpy(larger.get(), bytes_.get(), size_);
  bytes_ = std::move(larger);
  capacity_ = capacity;
}

// --- the file ----------------------------------------------------------------------------------

Result<std::unique_ptr<SnapshotReader>> SnapshotReader::open(runtime::Disk& disk,
                                                             const std::string& path,
                                                             SnapshotVisitor& visitor,
                                                             const Options& options) {
  auto file = disk.open(path, runtime::OpenMode::read);
  if (!file) return file.error();
  auto size = (*file)->size();
  if (!size) return size.error();
  std::unique_ptr<SnapshotReader> reader(
      new SnapshotReader(std::move(*file), path, *size, visitor, options));
  if (Status status = reader->read_header(); !status) return status.error();
  return reader;
}

SnapshotReader::SnapshotReader(std::unique_ptr<runtime::File> file, std::string path,
                               std::uint64_t size, SnapshotVisitor& visitor, const Options& options)
    : file_(std::move(file)),
      path_(std::move(path)),
      file_size_(size),
      visitor_(visitor),
      options_(options) {}

Error SnapshotReader::error(std::uint64_t at, std::string_view why) const {
  return Error{fmt::format("{}: at byte {}: {}", path_, at, why)};
}

Error SnapshotReader::damaged(const RawEntry& entry) const {
  return error(entry.at, fmt::format("the value of key '{}' (kind {}) is damaged", shown(entry.key),
                                     static_cast<int>(entry.kind)));
}

Status SnapshotReader::read_header() {
  char bytes[rdb::kHeaderBytes];
  auto got = file_->read_at(0, bytes, sizeof bytes);
  if (!got) return got.error();
  const std::string_view header(bytes, *got);
  if (!header.starts_with(rdb::kMagic)) {
    return error(0, "no snapshot, nor any file of Redis, begins so");
  }
  const std::string_view digits = header.substr(rdb::kMagic.size());
  if (header.size() < sizeof bytes) return error(header.size(), "the file ends in its header");
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) {
    return error(rdb::kMagic.size(), "the version is not a number");
  }
  for (const char digit : digits) {
    version_ = static_cast<std::uint16_t>(version_ * 10 + (digit - '0'));
  }
  if (version_ < 1 || version_ > rdb::kVersionReadMax) {
    return error(rdb::kMagic.size(), fmt::format("version {} of the format is not known here; 1 "
                                                 "to {} are",
                                                 version_, rdb::kVersionReadMax));
  }
  offset_ = rdb::kHeaderBytes;
  crc_ = crc64(0, header);
  return {};
}

// Afterwards the batch has the rest of the last one and as much of the file behind it as
// fits.
Status SnapshotReader::fill(SnapshotBatch& batch, std::size_t capacity) {
  batch.reserve(capacity);
  if (batch.size_ == 0 && !rest_.empty()) {
    std::memcpy(batch.bytes_.get(), rest_.data(), rest_.size());
    batch.size_ = rest_.size();
  }
  auto got = file_->read_at(offset_ + batch.size_, batch.bytes_.get() + batch.size_,
                            batch.capacity_ - batch.size_);
  if (!got) return got.error();
  batch.size_ += *got;
  // It may have been truncated, or have grown, since it was opened.
  const std::uint64_t seen = offset_ + batch.size_;
  file_size_ = batch.size_ < batch.capacity_ ? seen : std::max(file_size_, seen);
  return {};
}

Result<bool> SnapshotReader::next(SnapshotBatch& batch) {
  batch.clear();
  if (ended_) return false;
  for (std::size_t capacity = std::max(options_.batch_bytes, 2 * rest_.size());; capacity *= 2) {
    if (Status status = fill(batch, capacity); !status) return status.error();
    auto taken = find_entries(batch);
    if (!taken) return taken.error();
    if (*taken == 0) continue;  // one item is larger than the batch
    const std::string_view bytes = batch.bytes();
    if (ended_) {
      if (Status status = check_crc(bytes.substr(0, end_at_)); !status) return status.error();
      rest_.clear();
    } else {
      crc_ = crc64(crc_, bytes.substr(0, *taken));
      rest_.assign(bytes.substr(*taken));
    }
    offset_ += *taken;
    return true;
  }
}

Status SnapshotReader::check_crc(std::string_view bytes) {
  crc_ = crc64(crc_, bytes);
  if (crc_told_ == 0 || crc_told_ == crc_) return {};
  return error(offset_ + end_at_,
               fmt::format("the checksum is {:016x}, but the bytes before it give {:016x}: one of "
                           "them is damaged",
                           crc_told_, crc_));
}

// How many bytes were consumed.
Result<std::size_t> SnapshotReader::find_entries(SnapshotBatch& batch) {
  const std::string_view bytes = batch.bytes();
  RdbScan scan(bytes, file_size_ - offset_ - bytes.size());
  std::size_t taken = 0;
  while (!ended_ && taken < bytes.size()) {
    item(scan, batch);
    if (scan.is_bad()) return error(offset_ + scan.at(), scan.why());
    if (!scan.fine()) return taken;
    taken = scan.at();
  }
  if (!ended_ && offset_ + taken == file_size_) {
    return error(file_size_, "the file ends here, but its end is not written");
  }
  return taken;
}

// --- keys and opcodes --------------------------------------------------------------------------

// One item: a key with everything that precedes it, or an item of its own. If the bytes do not
// suffice, nothing has changed.
void SnapshotReader::item(RdbScan& scan, SnapshotBatch& batch) {
  const std::size_t began = scan.at();
  Before before;
  for (;;) {
    const std::uint8_t word = scan.byte();
    if (!scan.fine()) return;
    if (word < static_cast<std::uint8_t>(rdb::Opcode::slot_info)) {
      return key(began, static_cast<rdb::Kind>(word), scan, batch, before);
    }
    if (!opcode(static_cast<rdb::Opcode>(word), scan, batch, before)) return;
  }
}

// True: it was about the key that follows.
bool SnapshotReader::opcode(rdb::Opcode opcode, RdbScan& scan, SnapshotBatch& batch,
                            Before& before) {
  const std::size_t began = scan.at() - 1;
  switch (opcode) {
    case rdb::Opcode::expires_at_ms: {
      const std::string_view raw = scan.bytes(sizeof(UnixMs));
      UnixMs when = 0;
      if (scan.fine()) std::memcpy(&when, raw.data(), raw.size());
      before.notes.expires_at = std::max<UnixMs>(when, 0);
      return scan.fine();
    }
    case rdb::Opcode::expires_at_s: {
      std::int32_t seconds = 0;
      const std::string_view raw = scan.bytes(sizeof seconds);
      if (scan.fine()) std::memcpy(&seconds, raw.data(), raw.size());
      before.notes.expires_at = std::max<UnixMs>(UnixMs{seconds} * 1000, 0);
      return scan.fine();
    }
    case rdb::Opcode::idle:
      before.notes.idle_seconds = scan.length();
      return scan.fine();
    case rdb::Opcode::frequency:
      before.notes.frequency = scan.byte();
      return scan.fine();
    case rdb::Opcode::aux:
      return aux(scan, batch, before);
    case rdb::Opcode::select:
      select(scan);
      return false;
    case rdb::Opcode::resize:
      hint(scan);
      return false;
    case rdb::Opcode::slot_info:
      for (int i = 0; i < 3; ++i) scan.length();
      return false;
    case rdb::Opcode::function: {
      const std::string_view library = text(scan, batch);
      if (scan.fine()) visitor_.on_function(library);
      return false;
    }
    case rdb::Opcode::function_early:
      scan.bad(began, "functions as a release candidate of Redis 7.0 wrote them");
      return false;
    case rdb::Opcode::module_aux:
      module_aux(scan);
      return false;
    case rdb::Opcode::end:
      end(scan);
      return false;
  }
  return false;
}

void SnapshotReader::select(RdbScan& scan) {
  const std::size_t began = scan.at();
  const std::uint64_t db = scan.length();
  if (db >= limits::kDatabasesMax) scan.bad(began, "there is no database of this number");
  if (scan.fine()) db_ = DbIndex{static_cast<std::uint16_t>(db)};
}

void SnapshotReader::hint(RdbScan& scan) {
  const std::uint64_t keys = scan.length();
  const std::uint64_t with_expiry = scan.length();
  if (scan.fine()) visitor_.on_hint(db_, keys, with_expiry);
}

void SnapshotReader::end(RdbScan& scan) {
  const std::size_t at = scan.at();
  std::uint64_t crc = 0;
  if (version_ >= rdb::kVersionWithCrc) {
    const std::string_view raw = scan.bytes(rdb::kCrcBytes);
    if (scan.fine()) std::memcpy(&crc, raw.data(), raw.size());
  }
  if (!scan.fine()) return;
  ended_ = true;
  end_at_ = at;
  crc_told_ = crc;
}

bool SnapshotReader::aux(RdbScan& scan, SnapshotBatch& batch, Before& before) {
  const std::string_view name = text(scan, batch);
  const std::size_t value_at = scan.at();
  const std::string_view value = text(scan, batch);
  if (!scan.fine()) return false;
  if (name == snapshot::kFieldTimes || name == snapshot::kActiveTimes) {
    before.times = value;
    return true;
  }
  if (name == snapshot::kForeignKey) {
    foreign_key(value_at, value, scan, batch);
  } else {
    visitor_.on_aux(name, value);
  }
  return false;
}

void SnapshotReader::key(std::size_t began, rdb::Kind kind, RdbScan& scan, SnapshotBatch& batch,
                         const Before& before) {
  const std::size_t kind_at = scan.at() - 1;
  if (const char* refusal = RdbScan::why_not(kind)) return scan.bad(kind_at, refusal);
  const std::string_view name = text(scan, batch);
  const std::string_view value = scan.value(kind);
  if (!scan.fine()) return;
  if (kind == rdb::Kind::module_2) return module_key(kind_at, name, value, scan);
  if (is_empty_collection(kind, value)) {
    visitor_.on_skipped(fmt::format("{}: at byte {}: key '{}' has no elements and is dropped",
                                    path_, offset_ + began, shown(name)));
    return;
  }
  batch.entries_.push_back({name, value, before.times, before.notes, offset_ + began, db_, kind});
}

// A key within an AUX field: the same format, complete.
void SnapshotReader::foreign_key(std::size_t at, std::string_view bytes, RdbScan& scan,
                                 SnapshotBatch& batch) {
  RdbScan inner(bytes, 0);
  Before before;
  for (;;) {
    const std::uint8_t word = inner.byte();
    const auto code = static_cast<rdb::Opcode>(word);
    const bool is_note = code == rdb::Opcode::expires_at_ms || code == rdb::Opcode::idle ||
                         code == rdb::Opcode::frequency;
    if (inner.fine() && is_note) {
      opcode(code, inner, batch, before);
      continue;
    }
    if (inner.fine()) key(at, static_cast<rdb::Kind>(word), inner, batch, before);
    break;
  }
  if (!inner.fine() || inner.at() != bytes.size()) {
    scan.bad(at, "the key within this AUX field is damaged");
  }
}

void SnapshotReader::module_aux(RdbScan& scan) {
  const std::size_t began = scan.at() - 1;
  const std::uint64_t id = scan.length();
  scan.module_words();
  if (!scan.fine()) return;
  visitor_.on_skipped(
      fmt::format("{}: at byte {}: what the module '{}' keeps beside the keys is "
                  "skipped",
                  path_, offset_ + began, module_name(id)));
}

void SnapshotReader::module_key(std::size_t began, std::string_view name, std::string_view value,
                                RdbScan& scan) {
  RdbScan words(value, 0);
  const std::string module = module_name(words.length());
  if (!options_.skip_modules) {
    return scan.bad(began, "a key whose value is a module's, which nobody here can read");
  }
  visitor_.on_skipped(
      fmt::format("{}: at byte {}: key '{}' is a value of the module '{}' and is "
                  "skipped",
                  path_, offset_ + began, shown(name), module));
}

std::string_view SnapshotReader::text(RdbScan& scan, SnapshotBatch& batch) {
  const std::size_t at = scan.at();
  const std::string_view raw = scan.string();
  if (!scan.fine()) return {};
  const auto first = static_cast<std::uint8_t>(raw[0]);
  if ((first & 0xc0) == rdb::kLength6) return raw.substr(1);
  return decoded(at, raw, scan, batch);
}

std::string_view SnapshotReader::decoded(std::size_t at, std::string_view raw, RdbScan& scan,
                                         SnapshotBatch& batch) {
  RdbInput in(raw, file_limits());
  std::string& scratch = batch.texts_.emplace_back();
  const std::string_view out = in.string(scratch);
  if (in.failed()) scan.bad(at, "a string that cannot be unpacked");
  return out;
}

// --- values ------------------------------------------------------------------------------------

std::optional<std::string_view> string_of(const RawEntry& entry, std::string& scratch) {
  RdbInput in(entry.value, file_limits());
  const std::string_view bytes = in.string(scratch);
  if (entry.kind != rdb::Kind::string || in.failed()) return std::nullopt;
  return bytes;
}

std::optional<RdbValue> build_value(const RawEntry& entry, const RdbSurroundings& around) {
  RdbInput in(entry.value, file_limits());
  if (entry.times.empty()) {
    auto value = read_value(entry.kind, in, around);
    if (!value || !in.at_end()) return std::nullopt;
    return value;
  }
  RdbInput times(entry.times, file_limits());
  auto value = read_value_with_times(entry.kind, in, times, around);
  if (!value || !in.at_end() || !times.at_end()) return std::nullopt;
  return value;
}

}  // namespace slotcar::storage
