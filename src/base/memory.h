// The allocator, in one place: mimalloc, or the C library's under the sanitizers. Sizes are those
// that the allocator really gives, because `maxmemory` bounds what is really used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace slotcar::base {

void* allocate_bytes(std::size_t size);                  // never null: ends the process instead
void* reallocate_bytes(void* memory, std::size_t size);  // may move
void free_bytes(void* memory);
std::size_t usable_bytes(const void* memory);

// Lets the heap use pages of 2 MiB where the kernel offers them. Off by default: lookups gain
// little once their cache lines are fetched ahead, and clearing such a page on first touch takes
// milliseconds on some machines. For the whole process, before threads.
void prefer_huge_pages();

// Hands what is free back to the system, as far as the calling thread can (MEMORY PURGE).
void give_back_free_memory();
// What the allocator says of itself (MEMORY MALLOC-STATS).
std::string allocator_report();

}  // namespace slotcar::base
