// MemoryTally: counts bytes twice, for the running thread (INFO, maxmemory) and for the database
// that has them (so that emptying a database can subtract them without a walk).
#pragma once

#include <cstdint>

#include "base/counter.h"
#include "base/memory.h"

namespace slotcar::keyspace {

class MemoryTally {
 public:
  MemoryTally(base::Counter& thread, std::int64_t& database)
      : thread_(&thread), database_(&database) {}

  void add(std::int64_t bytes) {
    thread_->add(bytes);
    *database_ += bytes;
  }
  void* allocate(std::size_t size) {
    void* memory = base::allocate_bytes(size);
    add(static_cast<std::int64_t>(base::usable_bytes(memory)));
    return memory;
  }
  void free(void* memory) {
    add(-static_cast<std::int64_t>(base::usable_bytes(memory)));
    base::free_bytes(memory);
  }

 private:
  base::Counter* thread_;
  std::int64_t* database_;
};

}  // namespace slotcar::keyspace
