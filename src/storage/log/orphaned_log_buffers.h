// OrphanedLogBuffers: removes the log buffers of servers that have ended and whose directories are
// gone, if they hold nothing that their segments did not have. Then no start can miss them, even if
// a directory was only moved, or is there for others.
//
// A buffer has up to 64 MB, and the thread that looks has other duties. So it looks a block at a
// time: each step reads 256 KB at most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/shared_memory.h"
#include "storage/log/log_buffer_head.h"

namespace slotcar::storage {

class OrphanedLogBuffers {
 public:
  // It looks at some buffers, from the name of the one of `life` on, so that other starts look at
  // others.
  OrphanedLogBuffers(runtime::SharedMemory& memory, std::uint64_t life);

  // False: this was the last step.
  bool step();
  std::size_t removed() const { return removed_; }
  std::size_t left() const { return left_; }  // they hold records, or are damaged

 private:
  void list();
  bool open_next();
  // Whether a record in this block is not known to be in the segments.
  bool has_records(std::string_view bytes) const;
  void close(bool useless);

  runtime::SharedMemory& memory_;
  std::uint64_t life_;
  bool listed_ = false;
  std::vector<std::string> names_;  // those not looked at yet; the next is the last
  std::string name_;                // the one being read; empty: none
  LogBufferHead head_{};
  std::size_t offset_ = 0;  // of the next block
  std::size_t removed_ = 0;
  std::size_t left_ = 0;
};

}  // namespace slotcar::storage
