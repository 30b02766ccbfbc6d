#include "schema/command_info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slotcar::schema {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr KeyUse kRead = KeyUse::ro | KeyUse::access;
constexpr KeyUse kOver = KeyUse::ow | KeyUse::update;

struct Expected {
  const char* command;
  KeySpecs specs;
  int first, last, step;
  bool movable;
};

// As redis-server's COMMAND INFO says them.
const Expected kTable[] = {
    {"PING", {}, 0, 0, 0, false},
    {"GET", key_at(1, kRead), 1, 1, 1, false},
    {"MGET", keys(1, -1, 1, kRead), 1, -1, 1, false},
    {"MSET", keys(1, -1, 2, kOver), 1, -1, 2, false},
    {"LCS", keys(1, 2, 1, kRead), 1, 2, 1, false},
    {"BLPOP", keys(1, -2, 1, kRead), 1, -2, 1, false},
    {"OBJECT|FREQ", key_at(2, KeyUse::ro), 2, 2, 1, false},
    {"SSUBSCRIBE", keys(1, -1, 1, KeyUse::not_key), 1, -1, 1, false},
    {"RENAME", {key_at(1, kRead), key_at(2, kOver)}, 1, 2, 1, false},
    {"BITOP", {key_at(2, kOver), keys(3, -1, 1, kRead)}, 2, -1, 1, false},
    {"EVAL", keys_counted_at(2, kRead), 0, 0, 0, true},
    {"XREAD", keys_after("STREAMS", 1, -1, 2, kRead), 0, 0, 0, true},
    {"ZUNIONSTORE", {key_at(1, kOver), keys_counted_at(2, kRead)}, 1, 1, 1, true},
    {"GEORADIUS",
     {key_at(1, kRead), keys_after("STORE", 6, 0, 0, kOver),
      keys_after("STOREDIST", 6, 0, 0, kOver)},
     1,
     1,
     1,
     true},
    {"SORT", {key_at(1, kRead), keys_by(nullptr, kRead)}, 1, 1, 1, true},
    {"MIGRATE",
     {key_at(3, kRead), keys_after("KEYS", -2, -1, 0, kRead | KeyUse::incomplete)},
     3,
     3,
     1,
     true},
    {"with a gap", {key_at(1, kRead), key_at(3, kRead)}, 1, 1, 1, true},
    {"incomplete", key_at(1, kRead | KeyUse::incomplete), 1, 1, 1, true},
};

TEST(LegacyKeys, FollowFromTheSpecsAsInRedis) {
  for (const Expected& expected : kTable) {
    const LegacyKeys legacy = legacy_keys(expected.specs);
    EXPECT_EQ(legacy.first, expected.first) << expected.command;
    EXPECT_EQ(legacy.last, expected.last) << expected.command;
    EXPECT_EQ(legacy.step, expected.step) << expected.command;
    EXPECT_EQ(legacy.movable, expected.movable) << expected.command;
  }
}

Command command_with(Access access, Acl acl, KeySpecs keys = {}) {
  return {.name = "X",
          .summary = "",
          .since = "",
          .group = Group::generic,
          .arity = at_least(2),
          .keys = keys,
          .access = access,
          .acl = acl,
          .runs = container()};
}

std::vector<std::string_view> categories(Access access, Acl acl) {
  return acl_names(acl_categories(command_with(access, acl)));
}

TEST(AclCategories, FollowFromTheFlagsAsInRedis) {
  EXPECT_THAT(categories(Access::none, Acl::none), UnorderedElementsAre("slow"));
  EXPECT_THAT(categories(Access::readonly | Access::fast, Acl::string),
              UnorderedElementsAre("read", "string", "fast"));
  EXPECT_THAT(categories(Access::write | Access::may_grow, Acl::string),
              UnorderedElementsAre("write", "string", "slow"));
  EXPECT_THAT(categories(Access::readonly, Acl::keyspace | Acl::dangerous),
              UnorderedElementsAre("read", "keyspace", "slow", "dangerous"));
  EXPECT_THAT(categories(Access::write | Access::noscript | Access::blocking, Acl::list),
              UnorderedElementsAre("write", "list", "slow", "blocking"));
  EXPECT_THAT(categories(Access::admin | Access::noscript, Acl::none),
              UnorderedElementsAre("admin", "dangerous", "slow"));
  EXPECT_THAT(categories(Access::pubsub | Access::fast, Acl::none),
              UnorderedElementsAre("pubsub", "fast"));
  EXPECT_THAT(categories(Access::readonly | Access::noscript, Acl::scripting),
              UnorderedElementsAre("scripting", "slow"));
}

TEST(AclCategories, AreKnownByName) {
  EXPECT_EQ(acl_category("SortedSet"), Acl::sortedset);
  EXPECT_EQ(acl_category("sorted-set"), Acl::none);
  EXPECT_EQ(acl_category(""), Acl::none);
  for (const std::string_view name : acl_names(static_cast<Acl>(~0u))) {
    EXPECT_THAT(acl_names(acl_category(name)), ElementsAre(name));
  }
}

TEST(CommandInfo, TellsFlagsInRedisWords) {
  const CommandInfo info = command_info(
      command_with(Access::write | Access::may_grow | Access::no_async_loading, Acl::none));
  EXPECT_EQ(info.arity, -2);
  EXPECT_THAT(info.flags, UnorderedElementsAre("write", "denyoom", "no_async_loading"));
  EXPECT_THAT(info.key_specs, IsEmpty());
}

TEST(CommandInfo, MovableKeysAreAFlag) {
  const CommandInfo info =
      command_info(command_with(Access::write, Acl::none, keys_counted_at(1, kRead)));
  EXPECT_THAT(info.flags, UnorderedElementsAre("write", "movablekeys"));
}

TEST(CommandInfo, TellsKeySpecs) {
  const KeySpecs specs{keys(1, 2, 1, KeyUse::rw | KeyUse::remove), keys_counted_at(3, kRead),
                       keys_after("STREAMS", 4, -1, 2, kRead)};
  const CommandInfo info = command_info(command_with(Access::write, Acl::none, specs));
  ASSERT_EQ(info.key_specs.size(), 3u);

  const KeySpecInfo& range = info.key_specs[0];
  EXPECT_THAT(range.flags, ElementsAre("RW", "delete"));
  EXPECT_EQ(range.begin, KeySpecInfo::Begin::index);
  EXPECT_EQ(range.index, 1);
  EXPECT_EQ(range.find, KeySpecInfo::Find::range);
  EXPECT_EQ(range.last_key, 1) << "counted from the first";
  EXPECT_EQ(range.step, 1);

  const KeySpecInfo& counted = info.key_specs[1];
  EXPECT_EQ(counted.find, KeySpecInfo::Find::keynum);
  EXPECT_EQ(counted.index, 3);
  EXPECT_EQ(counted.key_count_at, 0);
  EXPECT_EQ(counted.first_key, 1);

  const KeySpecInfo& keyword = info.key_specs[2];
  EXPECT_EQ(keyword.begin, KeySpecInfo::Begin::keyword);
  EXPECT_EQ(keyword.keyword, "STREAMS");
  EXPECT_EQ(keyword.start_from, 4);
  EXPECT_EQ(keyword.last_key, -1);
  EXPECT_EQ(keyword.limit, 2);
}

TEST(CommandInfo, AFunctionIsUnknownToOthers) {
  const CommandInfo info =
      command_info(command_with(Access::write, Acl::none, keys_by(nullptr, kOver)));
  ASSERT_EQ(info.key_specs.size(), 1u);
  EXPECT_EQ(info.key_specs[0].begin, KeySpecInfo::Begin::unknown);
  EXPECT_EQ(info.key_specs[0].find, KeySpecInfo::Find::unknown);
  EXPECT_THAT(info.key_specs[0].flags, ElementsAre("OW", "update"));
}

TEST(Group, NamesAsCommandDocsSaysThem) {
  EXPECT_EQ(group_name(Group::sorted_set), "sorted-set");
  EXPECT_EQ(group_name(Group::transactions), "transactions");
}

}  // namespace
}  // namespace slotcar::schema
