// LogBuffer: the memory in which records wait for the disk; it survives a kill of the process.
//
// A record is acknowledged (unless `appendfsync always` waits for the disk) as soon as it is in a
// block of its thread. If that block were ordinary memory, a bug, the kernel's out-of-memory killer
// or a kill -9 would lose what the log's thread has not yet written. So blocks are in a file on a
// tmpfs, and the next start reads from it what the log's segments do not have. Only a restart of
// the machine loses it, and `appendfsync` is the setting for that case.
//
//   block 0      head: life, salt, boot id, and how far the log is durable
//   block 1...   blocks of records (log_block.h), each 256 KB or, for a long record, a run of them
//
// Why it is right. A thread writes a record's bytes with LSN 0, reserves the LSN, stores it into
// the record (release), publishes the record to the log's thread, and only then releases its tokens
// and answers. A kill between reserving and storing leaves an LSN without a record. Its call still
// held its tokens, so no other call has seen its effects, and no client was answered. Later LSNs
// may have been acknowledged; recovery closes the gap, because it renumbers what it finds here. A
// block is reused only after the head says that everything in it is durable (`durable` is stored
// before the blocks are released). So whatever lies behind a thread's last record is an old record,
// not above `durable`, or no record at all: records carry the salt of this life, which no client
// knows and so no value can contain.
//
// Some records are elsewhere: those that found no room here, and those that refer to long values
// (log_block.h). Such a call is not answered until its record is written, but others may have seen
// its effects and built on them. So the head names the first of these records (`outside`). As long
// as it names one, the replies of all later records wait until they are written, too (log.cc), and
// recovery stops at that record.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "runtime/shared_memory.h"
#include "storage/log/log_format.h"

namespace slotcar::storage {

class LogBuffer {
 public:
  // The name of the file of one life of a server. Copies of a directory share everything else.
  static std::string file_name(std::uint64_t life);
  // Whether an ended server left the buffer of that life for a start in this directory. A copy of
  // the directory may read it, too, but does not remove it: the original may still be started.
  static bool was_left_by(runtime::SharedMemory& memory, std::uint64_t life,
                          std::uint64_t directory);

  // Removes the buffers of servers that have ended and whose directories are gone, if they hold
  // nothing that their segments did not have: then no start can miss them, even if a directory was
  // only moved, or is there for others. Answers how many went, and how many hold something. It
  // looks at some, from the name of `life` on, so that other starts look at others.
  struct Orphans {
    std::size_t removed = 0;
    std::size_t left = 0;
  };
  static Orphans remove_orphans(runtime::SharedMemory& memory, std::uint64_t life);

  struct Options {
    std::uint64_t life = 0;
    std::uint64_t salt = 0;
    std::uint64_t directory = 0;      // SharedMemory::directory_id of the server's
    std::string directory_path = {};  // SharedMemory::directory_path
    std::size_t bytes_max = 64 * 1024 * 1024;
  };
  static Result<std::unique_ptr<LogBuffer>> create(runtime::SharedMemory& memory,
                                                   const Options& options);

  // --- callers lock (LogBlocks does)
  // `bytes` bytes, a multiple of LogBlock::kBytes and aligned like one; null: there is no room.
  char* take(std::size_t bytes);
  void give_back(char* at, std::size_t bytes);
  bool owns(const void* at) const;

  // --- any thread
  // Called before the blocks of these records are released.
  void note_durable(Lsn durable);
  // The first record that is elsewhere and not written yet; 0: there is none.
  void note_outside(Lsn first);
  std::size_t allocated_bytes() const { return allocated_.load(std::memory_order_relaxed); }

 private:
  explicit LogBuffer(std::unique_ptr<runtime::SharedRegion> region);
  bool allocate(std::size_t first, std::size_t count);
  void discard_surplus();

  enum class Block : std::uint8_t { untouched, spare, used };
  std::unique_ptr<runtime::SharedRegion> region_;
  std::vector<Block> blocks_;  // [0] is the head
  std::atomic<std::size_t> allocated_{0};
};

// What a killed server left.
struct SurvivingRecord {
  Lsn lsn;
  RecordAbout about;
  std::string payload;
};
struct LogBufferContents {
  std::uint64_t life = 0;
  std::string boot_id;
  Lsn durable;                           // the log's segments have everything up to here
  Lsn outside;                           // 0, or: nothing from here on counts
  std::vector<SurvivingRecord> records;  // those that count above `after`, ascending
};
// An error says what is wrong with the bytes, and where.
Result<LogBufferContents> read_log_buffer(std::string_view bytes, Lsn after);

}  // namespace slotcar::storage
