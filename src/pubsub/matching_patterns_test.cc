// Which patterns are found, against looking at all of them, and how many are looked at.
#include "pubsub/matching_patterns.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace slotcar::pubsub {
namespace {

// Counts the patterns at which a search stops.
class Patterns {
 public:
  using Map = std::map<std::string, int, std::less<>>;
  class Iterator {
   public:
    Iterator(Map::const_iterator at, Patterns* all) : at_(at), all_(all) {}
    const Map::value_type* operator->() const {
      if (at_ != all_->last_) ++all_->looked_at;
      all_->last_ = at_;
      return &*at_;
    }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    Map::const_iterator at_;
    Patterns* all_;
  };
  Iterator begin() { return {map.begin(), this}; }
  Iterator end() { return {map.end(), this}; }
  Iterator lower_bound(std::string_view text) { return {map.lower_bound(text), this}; }

  Map map;
  int looked_at = 0;

 private:
  Map::const_iterator last_ = map.end();
};

std::vector<std::string> found(Patterns& patterns, std::string_view channel) {
  std::vector<std::string> names;
  for_each_matching(patterns, channel,
                    [&](const std::string& pattern, int) { names.push_back(pattern); });
  return names;
}

TEST(MatchingPatterns, AreThoseThatMatchAndInOrder) {
  std::mt19937 random(7);
  const std::string letters("ab*?[]\\^-\xff\xfe\0", 12);
  const auto text = [&](std::size_t longest) {
    std::string made;
    for (std::size_t size = random() % (longest + 1); size > 0; --size) {
      made.push_back(letters[random() % letters.size()]);
    }
    return made;
  };
  for (int round = 0; round < 300; ++round) {
    Patterns patterns;
    for (int i = 0; i < 60; ++i) patterns.map.emplace(text(6), i);
    for (int i = 0; i < 30; ++i) {
      const std::string channel = text(6);
      std::vector<std::string> wanted;
      for (const auto& [pattern, number] : patterns.map) {
        if (base::glob_match(pattern, channel)) wanted.push_back(pattern);
      }
      EXPECT_EQ(found(patterns, channel), wanted) << channel;
    }
  }
}

TEST(MatchingPatterns, ThoseThatBeginOtherwiseArePassedOver) {
  Patterns patterns;
  for (int i = 0; i < 100'000; ++i) patterns.map.emplace("user:" + std::to_string(i) + ":*", i);
  patterns.map.emplace("*:all", 0);
  EXPECT_EQ(found(patterns, "order:all"), std::vector<std::string>{"*:all"});
  EXPECT_LE(patterns.looked_at, 3);
  patterns.looked_at = 0;
  EXPECT_EQ(found(patterns, "user:4711:all"), (std::vector<std::string>{"*:all", "user:4711:*"}));
  EXPECT_LE(patterns.looked_at, 100);
}

}  // namespace
}  // namespace slotcar::pubsub
