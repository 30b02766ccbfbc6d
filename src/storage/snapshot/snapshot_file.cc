#include "storage/snapshot/snapshot_file.h"

#include <cstring>
#include <utility>

#include "base/assert.h"
#include "storage/rdb/crc64.h"
#include "storage/rdb/rdb_format.h"
#include "storage/snapshot/snapshot_encoder.h"
#include "storage/snapshot/snapshot_format.h"

namespace slotcar::storage {

namespace {

// Pieces are collected up to this; larger ones are written as they are.
constexpr std::size_t kBufferBytes = 64 * 1024;
// How much the kernel is asked to write back at a time. Writing it back and dropping it from the
// page cache keeps the core busy for about 0.17 ms per MB.
constexpr std::uint64_t kWriteBackBytes = 256 * 1024;

}  // namespace

Result<std::unique_ptr<SnapshotFile>> SnapshotFile::create(runtime::Disk& disk,
                                                           std::string directory, std::string name,
                                                           std::uint64_t number,
                                                           const SnapshotFacts& facts) {
  std::string temporary = snapshot::temporary_name(number);
  auto file = disk.open(directory + "/" + temporary, runtime::OpenMode::create);
  if (!file) return file.error();
  std::unique_ptr<SnapshotFile> made(new SnapshotFile(disk, std::move(directory), std::move(name),
                                                      std::move(temporary), std::move(*file),
                                                      facts.checksum));
  std::string head(rdb::kMagic);
  const std::string version = std::to_string(rdb::kVersionWritten);
  head.append(rdb::kHeaderBytes - rdb::kMagic.size() - version.size(), '0').append(version);
  SnapshotEncoder out(head, false);
  out.aux("redis-ver", facts.server_version);
  out.aux("redis-bits", "64");
  out.aux("ctime", std::to_string(facts.created / 1000));
  out.aux("used-mem", std::to_string(facts.used_memory));
  out.aux("aof-base", "0");
  if (!facts.node_id.empty()) out.aux(snapshot::kNodeId, facts.node_id);
  if (facts.epoch.value != 0) out.aux(snapshot::kEpoch, std::to_string(facts.epoch.value));
  for (const std::string& text : facts.functions) out.function(text);
  if (Status status = made->append(head); !status) return status.error();
  return made;
}

SnapshotFile::SnapshotFile(runtime::Disk& disk, std::string directory, std::string name,
                           std::string temporary_name, std::unique_ptr<runtime::File> file,
                           bool checksum)
    : disk_(disk),
      directory_(std::move(directory)),
      path_(directory_ + "/" + name),
      temporary_path_(directory_ + "/" + temporary_name),
      file_(std::move(file)),
      checksum_(checksum) {
  buffer_.reserve(kBufferBytes);
}

SnapshotFile::~SnapshotFile() {
  abandon();
}

Status SnapshotFile::append(std::string_view piece) {
  ASSERT(state_ == State::writing);
  if (checksum_) crc_ = crc64(crc_, piece);
  if (buffer_.size() + piece.size() <= kBufferBytes) {
    buffer_ += piece;
    return {};
  }
  if (Status status = flush(); !status) return status;
  if (piece.size() < kBufferBytes) {
    buffer_ += piece;
    return {};
  }
  if (Status status = file_->write_at(offset_, piece); !status) return status;
  offset_ += piece.size();
  return write_back();
}

Status SnapshotFile::flush() {
  if (buffer_.empty()) return {};
  if (Status status = file_->write_at(offset_, buffer_); !status) return status;
  offset_ += buffer_.size();
  buffer_.clear();
  return write_back();
}

Status SnapshotFile::write_back() {
  if (offset_ - write_back_from_ < kWriteBackBytes) return {};
  const std::uint64_t from = std::exchange(write_back_from_, offset_);
  if (Status status = file_->write_back(from, offset_ - from); !status) return status;
  // All before has been written, and will not be read soon.
  file_->forget(forgotten_, from - forgotten_);
  forgotten_ = from;
  return {};
}

Status SnapshotFile::seal(const std::optional<SnapshotPlace>& place) {
  std::string tail;
  if (place) {
    SnapshotEncoder out(tail, false);
    out.aux(snapshot::kBegin, std::to_string(place->begin.value));
    out.aux(snapshot::kSettled, std::to_string(place->settled.value));
  }
  tail.push_back(static_cast<char>(rdb::Opcode::end));
  if (Status status = append(tail); !status) return status;
  char crc[rdb::kCrcBytes];
  std::memcpy(crc, &crc_, sizeof crc);  // 0 means that there is no checksum
  buffer_.append(crc, sizeof crc);
  if (Status status = flush(); !status) return status;
  if (Status status = file_->sync_data(); !status) return status;
  state_ = State::sealed;
  return {};
}

Status SnapshotFile::publish() {
  ASSERT(state_ == State::sealed);
  if (Status status = disk_.rename(temporary_path_, path_); !status) return status;
  // From here on the file is complete and has its name, even if the name is not durable yet.
  state_ = State::over;
  file_.reset();
  return disk_.sync_directory(directory_);
}

void SnapshotFile::abandon() {
  if (state_ == State::over) return;
  state_ = State::over;
  file_.reset();
  // If it cannot be removed, the next start will.
  (void)disk_.remove(temporary_path_).ok();
}

}  // namespace slotcar::storage
