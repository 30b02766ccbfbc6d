#include "base/memory.h"

#include <malloc.h>
#include <unistd.h>

#include <cstdlib>
#ifdef SLOTCAR_MIMALLOC
#include <mimalloc.h>
#endif

#include "base/assert.h"

namespace slotcar::base {

namespace {

// The kernel overcommits: it hands out more addresses than it has memory, and kills the process
// that uses them.
bool is_beyond_machine(std::size_t size) {
  static const std::size_t all = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) *
                                 static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return size > all;
}

}  // namespace

#ifdef SLOTCAR_MIMALLOC
void* try_allocate_bytes(std::size_t size) {
  return is_beyond_machine(size) ? nullptr : mi_malloc(size);
}
void* allocate_bytes(std::size_t size) {
  void* memory = mi_malloc(size);
  ASSERT(memory != nullptr);
  return memory;
}
void* reallocate_bytes(void* memory, std::size_t size) {
  void* moved = mi_realloc(memory, size);
  ASSERT(moved != nullptr);
  return moved;
}
void free_bytes(void* memory) {
  mi_free(memory);
}
std::size_t usable_bytes(const void* memory) {
  return mi_usable_size(memory);
}
void prefer_huge_pages() {
  mi_option_enable(mi_option_large_os_pages);
}
void collect_free_memory() {
  mi_collect(/*force=*/false);
}
void return_free_memory() {
  mi_collect(/*force=*/true);
}
std::string allocator_report() {
  std::string report;
  mi_stats_print_out(
      [](const char* text, void* into) { static_cast<std::string*>(into)->append(text); }, &report);
  return report;
}
#else
void* try_allocate_bytes(std::size_t size) {
  return is_beyond_machine(size) ? nullptr : std::malloc(size);
}
void* allocate_bytes(std::size_t size) {
  void* memory = std::malloc(size);
  ASSERT(memory != nullptr);
  return memory;
}
void* reallocate_bytes(void* memory, std::size_t size) {
  void* moved = std::realloc(memory, size);
  ASSERT(moved != nullptr);
  return moved;
}
void free_bytes(void* memory) {
  std::free(memory);
}
std::size_t usable_bytes(const void* memory) {
  return malloc_usable_size(const_cast<void*>(memory));
}
void prefer_huge_pages() {}
void collect_free_memory() {}
void return_free_memory() {}
std::string allocator_report() {
  return "The C library's allocator keeps no statistics.\n";
}
#endif

}  // namespace slotcar::base
