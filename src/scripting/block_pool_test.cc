// Small blocks are used again, the last one first, up to a bound.
#include "scripting/block_pool.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace slotcar::scripting {
namespace {

constexpr bool kKeeps = BlockPool::kKeptBytesMax > 0;  // not under the address sanitizer

TEST(BlockPool, GivesTheLastOneOfItsSizeFirst) {
  if (!kKeeps) GTEST_SKIP() << "nothing is kept in this build";
  BlockPool pool;
  void* const a = pool.make(33);
  void* const b = pool.make(48);
  void* const other = pool.make(49);
  pool.give_back(a, 33);
  pool.give_back(b, 48);
  pool.give_back(other, 49);
  EXPECT_EQ(pool.kept(), 48u + 48u + 64u);
  EXPECT_EQ(pool.make(40), b);
  EXPECT_EQ(pool.make(48), a);
  EXPECT_EQ(pool.kept(), 64u);
  pool.give_back(a, 48);
  pool.give_back(b, 40);
}

TEST(BlockPool, KeepsNoLongBlocksAndNotTooMuch) {
  BlockPool pool;
  pool.give_back(pool.make(BlockPool::kBlockBytesMax + 1), BlockPool::kBlockBytesMax + 1);
  pool.give_back(nullptr, 0);
  EXPECT_EQ(pool.kept(), 0u);
  const std::size_t count = 2 * BlockPool::kKeptBytesMax / BlockPool::kBlockBytesMax + 2;
  std::vector<void*> blocks;
  for (std::size_t i = 0; i < count; ++i) blocks.push_back(pool.make(BlockPool::kBlockBytesMax));
  for (void* block : blocks) pool.give_back(block, BlockPool::kBlockBytesMax);
  EXPECT_EQ(pool.kept(), BlockPool::kKeptBytesMax);
}

// A block that was changed to another size is one of that size: all of it can be written.
TEST(BlockPool, AChangedBlockHasTheRoomOfItsNewSize) {
  BlockPool pool;
  for (const std::size_t from : {1u, 16u, 17u, 255u, 256u, 257u, 5000u}) {
    for (const std::size_t to : {1u, 15u, 33u, 255u, 256u, 257u, 300u}) {
      auto* block = static_cast<char*>(pool.make(from));
      std::memset(block, 1, from);
      block = static_cast<char*>(BlockPool::change(block, to));
      EXPECT_EQ(block[0], 1);
      std::memset(block, 2, to);
      pool.give_back(block, to);
      auto* again = static_cast<char*>(pool.make((to + 15) / 16 * 16));
      std::memset(again, 3, (to + 15) / 16 * 16);
      pool.give_back(again, (to + 15) / 16 * 16);
    }
  }
}

}  // namespace
}  // namespace slotcar::scripting
