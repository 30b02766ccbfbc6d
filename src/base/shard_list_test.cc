#include "base/shard_list.h"

#include <gtest/gtest.h>

#include <vector>

namespace slotcar::base {
namespace {

std::vector<int> values(const ShardList& list) {
  std::vector<int> out;
  for (const ShardId shard : list) out.push_back(shard.value);
  return out;
}

TEST(ShardList, IsSortedWithoutRepeatsHoweverItIsFilled) {
  ShardList list;
  for (const int id : {5, 9, 5, 2, 9, 7, 2, 11}) list.add(ShardId{static_cast<std::uint16_t>(id)});
  EXPECT_EQ(values(list), (std::vector{2, 5, 7, 9, 11}));
  list.add_all(std::vector{ShardId{8}, ShardId{2}, ShardId{30}, ShardId{8}, ShardId{0}});
  EXPECT_EQ(values(list), (std::vector{0, 2, 5, 7, 8, 9, 11, 30}));
  list.assign(std::vector{ShardId{3}, ShardId{1}, ShardId{3}});
  EXPECT_EQ(values(list), (std::vector{1, 3}));
  EXPECT_EQ(list, (ShardList{ShardId{3}, ShardId{1}}));
  list.assign_one(ShardId{4});
  EXPECT_EQ(values(list), std::vector{4});
  list.clear();
  EXPECT_TRUE(list.empty());
}

TEST(ShardList, AllShards) {
  const ShardList list = ShardList::all(3);
  EXPECT_EQ(values(list), (std::vector{0, 1, 2}));
}

// Against the plain search, for every list over six shards.
TEST(ShardList, ContainsWhatWasAddedAndNothingElse) {
  for (unsigned bits = 0; bits < 64; ++bits) {
    ShardList list;
    for (std::uint16_t id = 0; id < 6; ++id) {
      if (bits >> id & 1) list.add(ShardId{id});
    }
    EXPECT_EQ(list.size(), static_cast<std::size_t>(__builtin_popcount(bits)));
    for (std::uint16_t id = 0; id < 8; ++id) {
      EXPECT_EQ(list.contains(ShardId{id}), (bits >> id & 1) != 0) << bits << " " << id;
    }
  }
}

}  // namespace
}  // namespace slotcar::base
