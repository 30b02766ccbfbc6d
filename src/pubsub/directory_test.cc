#include "pubsub/directory.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace slotcar::pubsub {
namespace {

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return names;
}

TEST(Directory, KnowsHowManyHearAMessageAndOnWhichWorkers) {
  Directory directory;
  directory.add(Kind::channel, "news", WorkerId{0});
  directory.add(Kind::channel, "news", WorkerId{2});
  directory.add(Kind::channel, "news", WorkerId{2});
  directory.add(Kind::channel, "other", WorkerId{1});
  const auto receivers = directory.receivers(Kind::channel, "news");
  EXPECT_EQ(receivers.count, 3u);
  EXPECT_TRUE(receivers.workers.test(0));
  EXPECT_FALSE(receivers.workers.test(1));
  EXPECT_TRUE(receivers.workers.test(2));
  EXPECT_EQ(directory.receivers(Kind::channel, "absent").count, 0u);
  EXPECT_TRUE(directory.receivers(Kind::channel, "absent").workers.none());
}

TEST(Directory, PatternsCountBesideTheChannel) {
  Directory directory;
  directory.add(Kind::channel, "news.a", WorkerId{0});
  directory.add(Kind::pattern, "news.*", WorkerId{1});
  directory.add(Kind::pattern, "*.a", WorkerId{1});
  directory.add(Kind::pattern, "x*", WorkerId{3});
  const auto receivers = directory.receivers(Kind::channel, "news.a");
  EXPECT_EQ(receivers.count, 3u);
  EXPECT_EQ(receivers.workers.count(), 2u);
  EXPECT_FALSE(receivers.workers.test(3));
  EXPECT_EQ(directory.receivers(Kind::channel, "news.b").count, 1u);
}

TEST(Directory, ShardChannelsAreASpaceOfTheirOwn) {
  Directory directory;
  directory.add(Kind::channel, "a", WorkerId{0});
  directory.add(Kind::pattern, "*", WorkerId{0});
  directory.add(Kind::shard_channel, "a", WorkerId{1});
  const auto receivers = directory.receivers(Kind::shard_channel, "a");
  EXPECT_EQ(receivers.count, 1u);
  EXPECT_TRUE(receivers.workers.test(1));
  EXPECT_FALSE(receivers.workers.test(0));
  EXPECT_EQ(directory.subscribers(Kind::channel, "a"), 1u);
  EXPECT_EQ(directory.names(Kind::shard_channel, "*"), (std::vector<std::string>{"a"}));
}

TEST(Directory, ForgetsANameWithItsLastSubscriber) {
  Directory directory;
  directory.add(Kind::channel, "a", WorkerId{0});
  directory.add(Kind::channel, "a", WorkerId{0});
  directory.add(Kind::channel, "a", WorkerId{1});
  EXPECT_EQ(directory.count(Kind::channel), 1u);
  directory.remove(Kind::channel, "a", WorkerId{1});
  EXPECT_FALSE(directory.receivers(Kind::channel, "a").workers.test(1));
  directory.remove(Kind::channel, "a", WorkerId{0});
  EXPECT_TRUE(directory.receivers(Kind::channel, "a").workers.test(0));
  EXPECT_EQ(directory.subscribers(Kind::channel, "a"), 1u);
  directory.remove(Kind::channel, "a", WorkerId{0});
  EXPECT_EQ(directory.count(Kind::channel), 0u);
  EXPECT_TRUE(directory.names(Kind::channel, "*").empty());
}

TEST(Directory, NamesAreThoseThatMatch) {
  Directory directory;
  for (const char* name : {"news.a", "news.b", "weather"}) {
    directory.add(Kind::channel, name, WorkerId{0});
  }
  EXPECT_EQ(sorted(directory.names(Kind::channel, "news.*")),
            (std::vector<std::string>{"news.a", "news.b"}));
  EXPECT_EQ(sorted(directory.names(Kind::channel, "*")).size(), 3u);
  EXPECT_EQ(directory.count(Kind::channel), 3u);
}

}  // namespace
}  // namespace slotcar::pubsub
