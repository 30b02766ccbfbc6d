// The allocator, in one place: mimalloc, or the C library's under the sanitizers. Sizes are the
// allocator's real ones, because `maxmemory` bounds what is really used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace slotcar::base {

void* allocate_bytes(std::size_t size);  // never null: ends the process instead
// For a size that a client chooses: null if there is not enough memory.
void* try_allocate_bytes(std::size_t size);
void* reallocate_bytes(void* memory, std::size_t size);  // may move
void free_bytes(void* memory);
std::size_t usable_bytes(const void* memory);

// Lets the heap use pages of 2 MiB where the kernel offers them. Off by default: lookups gain
// little once their cache lines are fetched ahead, and clearing such a page on first touch takes
// milliseconds on some machines. For the whole process, before threads.
void prefer_huge_pages();

// Takes back the calling thread's memory that other threads have freed, and returns to the system
// what has been free for a while in the whole process (node/memory_returner.h).
void collect_free_memory();
// Returns to the system all memory that is free in the whole process, however recently freed. Takes
// some 10 ms for 100 MB: not for a worker.
void return_free_memory();
// The allocator's own report (MEMORY MALLOC-STATS).
std::string allocator_report();

}  // namespace slotcar::base
