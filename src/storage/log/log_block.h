// Memory for records between the thread that appends them and the medium. A thread writes its
// records one after the other into a block of its own. The log hands the same bytes to the file and
// keeps them until they are durable, because a failed sync requires writing them again
// (log_writer.h). So a record is copied once, and no record calls the allocator: blocks are reused.
//
// Ownership: a record's bytes belong to its thread until it is appended, and then to the log until
// `release`. One number decides when a block ends. It begins at 0; the log subtracts what it
// releases, and the thread adds all that it wrote when it switches to another block. Before the
// switch the number is at most 0 and the block is the thread's. Afterwards it is the number of
// bytes not yet released, and the side that brings it to 0 gives the block back. A thread that
// finds its whole block released reuses it, while it is still in the caches.
//
// With a LogBuffer the blocks are in memory that outlives the process. A block for which there is
// no room there is in ordinary memory and marked so: a killed process loses its records until they
// are written.
//
// A record that refers to long values (base/long_part.h) has a block of its own, in ordinary
// memory: the header, the payload's own bytes, and the parts. They live until the record is
// released, because after a failed sync it is written again.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/long_part.h"
#include "storage/log/log_record.h"

namespace slotcar::storage {

class LogBuffer;

struct LogBlock {
  // A block begins at a multiple of this, so a record's address identifies its block. Ordinary
  // blocks have this size; a larger record has a block of its own.
  static constexpr std::size_t kBytes = 256 * 1024;

  std::atomic<std::int64_t> balance{0};
  std::size_t capacity = 0;  // this head included
  std::size_t used = 0;      // the thread's; this head included
  std::uint64_t salt = 0;    // of its records; identifies the block in a buffer
  bool outside_buffer = false;
  // Null except in the block of a record that refers to long values.
  struct Referring {
    std::size_t own_bytes;  // of the payload, without its parts
    base::LongParts parts;
    std::size_t parts_bytes;
  };
  std::unique_ptr<Referring> referring;

  // Records begin behind the head, at multiples of 8.
  static constexpr std::size_t kHeadBytes = 64;

  static LogBlock* of(LogRecord record) {
    const auto address = reinterpret_cast<std::uintptr_t>(record.bytes());
    return reinterpret_cast<LogBlock*>(address & ~(std::uintptr_t{kBytes} - 1));
  }
};

// All blocks of a log.
class LogBlocks {
 public:
  explicit LogBlocks(std::uint64_t salt = 1);
  LogBlocks(const LogBlocks&) = delete;
  LogBlocks& operator=(const LogBlocks&) = delete;
  ~LogBlocks();
  // Before the first block is taken.
  void use_buffer(std::unique_ptr<LogBuffer> buffer);

  // --- any thread
  std::uint64_t salt() const { return salt_; }
  std::size_t buffer_bytes() const;
  LogBlock* take(std::size_t capacity);
  void give_back(LogBlock* block);
  std::size_t count() const;  // those that wait to be used again included
  // A record of `payload` with these parts in it, in a block of its own.
  LogRecord write(const RecordAbout& about, std::string_view payload, base::LongParts parts);
  // The bytes of all parts that are not released; and those of them that only the log still holds.
  std::size_t referred_bytes() const { return referred_bytes_.load(std::memory_order_relaxed); }
  std::size_t referred_memory() const;
  // See LogBuffer.
  void note_outside(Lsn first);

  // For the log: these records, and all up to `durable`, are durable.
  void release(const std::vector<LogRecord>& records, Lsn durable);

 private:
  struct Free {
    LogBuffer* buffer = nullptr;  // null: ordinary memory
    void operator()(LogBlock* block) const;
  };
  using Owned = std::unique_ptr<LogBlock, Free>;
  // What is kept for reuse: as much as a busy log has between two syncs.
  static constexpr std::size_t kSpareMax = 48;

  Owned make(std::size_t capacity, bool in_buffer = true);
  void subtract(LogBlock* block, std::size_t bytes);

  const std::uint64_t salt_;
  std::unique_ptr<LogBuffer> buffer_;  // under the mutex, unless stated otherwise
  mutable std::mutex mutex_;
  std::unordered_map<LogBlock*, Owned> all_;
  std::vector<LogBlock*> spare_;
  std::vector<LogBlock*> referring_;
  std::atomic<std::size_t> referred_bytes_{0};
};

// A thread writes its records with this. Usable as long as the blocks exist.
class LogAppender {
 public:
  LogRecord write(LogBlocks& blocks, const RecordAbout& about, std::string_view payload);

 private:
  char* room_for(LogBlocks& blocks, std::size_t size);

  LogBlock* block_ = nullptr;
};

}  // namespace slotcar::storage
