#include "base/free_spans.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#include "base/memory.h"

namespace slotcar::base {
namespace {

#ifdef SLOTCAR_MIMALLOC

std::size_t resident_bytes() {
  long all = 0;
  long resident = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  EXPECT_EQ(std::fscanf(file, "%ld %ld", &all, &resident), 2);
  std::fclose(file);
  return static_cast<std::size_t>(resident) * 4096;
}

// On a thread of its own, whose segments are new. A block in each 8 MB stays: no segment is free.
TEST(FreeSpans, GoBackThoughTheirSegmentsAreInUse) {
  std::thread([] {
    constexpr std::size_t kBlock = 1040;
    constexpr std::size_t kBytes = 256 * 1024 * 1024;
    const std::size_t before = resident_bytes();
    std::vector<void*> blocks;
    std::vector<void*> kept;
    for (std::size_t bytes = 0; bytes < kBytes; bytes += kBlock) {
      blocks.push_back(allocate_bytes(kBlock));
      std::memset(blocks.back(), 1, kBlock);
      if (bytes / (8 * 1024 * 1024) != (bytes + kBlock) / (8 * 1024 * 1024)) {
        kept.push_back(blocks.back());
        blocks.pop_back();
      }
    }
    ASSERT_GT(resident_bytes(), before + kBytes / 2);
    for (void* block : blocks) free_bytes(block);
    return_free_memory();
    EXPECT_GT(resident_bytes(), before + kBytes / 2) << "the allocator does it by itself";
    for (int i = 0; i < 100 && resident_bytes() > before + 40 * 1024 * 1024; ++i) {
      return_free_spans(std::chrono::microseconds(500));
    }
    EXPECT_LT(resident_bytes(), before + 40 * 1024 * 1024);
    for (void* block : kept) EXPECT_EQ(static_cast<char*>(block)[kBlock - 1], 1);
    for (void* block : kept) free_bytes(block);
  }).join();
}

#endif

TEST(FreeSpans, OfAThreadThatHasNoneAreNothing) {
  std::thread([] { return_free_spans(std::chrono::microseconds(0)); }).join();
}

}  // namespace
}  // namespace slotcar::base
