#include <gtest/gtest.h>

#include <map>
#include <string>

#include "keyspace/keyspace.h"

namespace slotcar::keyspace {
namespace {

constexpr base::HashSeed kSeed{7};
constexpr int kEnough = 400;  // samples: with this many a sampled key is as good as the best

class Eviction : public ::testing::Test {
 protected:
  Eviction() {
    hold_.now = 1'700'000'000'000;
    hold_.counters = &counters_;
    hold_.effects = &effects_;
    hold_.settings = &settings_;
    hold_.random = 99;
  }
  static Key key(std::string_view name) { return {name, base::hash_bytes(name, kSeed), Slot{0}}; }
  void set(std::string_view name, DbIndex db, UnixMs expires_in = 0) {
    space_.set_string(
        hold_, db, key(name), std::string_view("v"),
        expires_in ? ExpiryChange::at(hold_.now + expires_in) : ExpiryChange::clear());
  }
  std::string victim(EvictionPolicy policy, int samples = kEnough) {
    settings_.policy = policy;
    const auto found = space_.sample_victim(hold_, policy, samples);
    return found ? std::to_string(found->db.value) + ":" + found->key : "none";
  }

  std::atomic<UnixMs> next_due_{kNever};
  KeyspaceCounters counters_;
  Effects effects_;
  KeyspaceSettings settings_;
  const base::ShardList held_{ShardId{0}};
  Hold hold_ = Hold::of_sole_owner(held_);
  Keyspace space_{KeyspaceShape{kSeed, 16, 16384}, ShardId{0}, next_due_};
};

TEST_F(Eviction, NobodyWithoutCandidates) {
  EXPECT_EQ(victim(EvictionPolicy::allkeys_lru), "none");
  set("a", DbIndex{0});
  EXPECT_EQ(victim(EvictionPolicy::volatile_lru), "none");
  EXPECT_EQ(victim(EvictionPolicy::volatile_ttl), "none");
  EXPECT_EQ(victim(EvictionPolicy::noeviction), "none");
  EXPECT_EQ(victim(EvictionPolicy::allkeys_random), "0:a");
}

TEST_F(Eviction, LruTakesTheLongestIdle) {
  set("old", DbIndex{1});
  hold_.now += 10'000;
  set("temporary", DbIndex{2}, 1'000'000);
  hold_.now += 10'000;
  for (int i = 0; i < 20; ++i) set("k" + std::to_string(i), DbIndex{0});
  EXPECT_EQ(victim(EvictionPolicy::allkeys_lru), "1:old");
  EXPECT_EQ(victim(EvictionPolicy::volatile_lru), "2:temporary");
  space_.touch(hold_, DbIndex{1}, key("old"));
  EXPECT_EQ(victim(EvictionPolicy::allkeys_lru), "2:temporary");
}

TEST_F(Eviction, LfuTakesTheLeastUsed) {
  settings_.policy = EvictionPolicy::allkeys_lfu;
  for (int i = 0; i < 10; ++i) set("k" + std::to_string(i), DbIndex{0});
  for (int i = 0; i < 10; ++i) {
    if (i == 6) continue;
    for (int use = 0; use < 50; ++use) {
      space_.find(hold_, DbIndex{0}, key("k" + std::to_string(i)));
    }
  }
  EXPECT_EQ(victim(EvictionPolicy::allkeys_lfu), "0:k6");
}

TEST_F(Eviction, TtlTakesTheNearestEnd) {
  for (int i = 1; i < 30; ++i) set("k" + std::to_string(i), DbIndex{0}, i * 1000);
  set("soon", DbIndex{3}, 500);
  EXPECT_EQ(victim(EvictionPolicy::volatile_ttl), "3:soon");
}

TEST_F(Eviction, RandomTakesAnybody) {
  for (int i = 0; i < 8; ++i) set("k" + std::to_string(i), DbIndex(i % 2));
  for (int i = 0; i < 8; ++i) set("t" + std::to_string(i), DbIndex(i % 2), 1000);
  std::map<std::string, int> all;
  std::map<std::string, int> temporary;
  for (int i = 0; i < 1600; ++i) {
    ++all[victim(EvictionPolicy::allkeys_random, 1)];
    ++temporary[victim(EvictionPolicy::volatile_random, 1)];
  }
  EXPECT_EQ(all.size(), 16u);
  EXPECT_EQ(temporary.size(), 8u);
  for (const auto& [name, times] : all) EXPECT_GT(times, 50) << name;
}

TEST_F(Eviction, EvictRemovesAndCounts) {
  set("a", DbIndex{0});
  EXPECT_TRUE(space_.evict(hold_, DbIndex{0}, key("a")));
  EXPECT_FALSE(space_.evict(hold_, DbIndex{0}, key("a")));
  EXPECT_EQ(counters_.evicted.get(), 1);
  EXPECT_EQ(counters_.memory.get(), 0);
}

TEST_F(Eviction, AverageTtlIsSampled) {
  EXPECT_EQ(space_.average_ttl_ms(hold_, DbIndex{0}, 10), 0);
  for (int i = 0; i < 10; ++i) set("k" + std::to_string(i), DbIndex{0}, 5000);
  EXPECT_EQ(space_.average_ttl_ms(hold_, DbIndex{0}, 10), 5000);
  hold_.now += 9000;
  EXPECT_EQ(space_.average_ttl_ms(hold_, DbIndex{0}, 10), 0);
}

}  // namespace
}  // namespace slotcar::keyspace
