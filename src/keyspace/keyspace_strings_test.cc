#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "keyspace/testing/test_world.h"

namespace slotcar::keyspace {
namespace {

TEST(KeyspaceStrings, SetAndFind) {
  World world;
  EXPECT_EQ(world.space().find(world.hold(), kDb, World::key("a")), nullptr);
  world.set("a", "hello");
  const Entry* entry = world.space().find(world.hold(), kDb, World::key("a"));
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->key(), "a");
  EXPECT_EQ(world.get("a"), "hello");
  EXPECT_EQ(world.counters().hits.get(), 1);
  EXPECT_EQ(world.counters().misses.get(), 1);
  EXPECT_EQ(world.space().keys(kDb), 1);
  EXPECT_EQ(world.get("a", DbIndex{3}), "(nil)");
  EXPECT_EQ(world.effects(), "SELECT 0\nSET a hello\n");
}

TEST(KeyspaceStrings, SetTreatsTheExpiryAsTold) {
  World world;
  const UnixMs when = world.hold().now + 1000;
  world.set("a", "1", ExpiryChange::at(when));
  EXPECT_EQ(world.expiry("a"), when);
  EXPECT_EQ(world.space().keys_with_expiry(kDb), 1);
  world.set("a", "2", ExpiryChange::keep());
  EXPECT_EQ(world.expiry("a"), when);
  world.set("a", "3", ExpiryChange::at(when + 5));
  EXPECT_EQ(world.expiry("a"), when + 5);
  EXPECT_EQ(world.next_due(), when + 5);
  world.set("a", "4");
  EXPECT_EQ(world.expiry("a"), kNever);
  EXPECT_EQ(world.space().keys_with_expiry(kDb), 0);
  EXPECT_EQ(world.next_due(), kNever);
  world.set("a", "5", ExpiryChange::keep());
  EXPECT_EQ(world.effects(),
            "SELECT 0\nSET a 1 PXAT 1700000001000\nSET a 2 KEEPTTL\n"
            "SET a 3 PXAT 1700000001005\nSET a 4\nSET a 5\n");
}

TEST(KeyspaceStrings, IntegersKeepTheExpiry) {
  World world;
  const UnixMs when = world.hold().now + 1000;
  world.set("n", "10", ExpiryChange::at(when));
  world.space().set_integer(world.hold(), kDb, World::key("n"), 11);
  EXPECT_EQ(world.get("n"), "11");
  EXPECT_EQ(world.expiry("n"), when);
  world.space().set_integer(world.hold(), kDb, World::key("m"), -5);
  EXPECT_EQ(world.get("m"), "-5");
  EXPECT_EQ(world.encoding("m"), "int");
  EXPECT_EQ(world.effects(), "SELECT 0\nSET n 10 PXAT 1700000001000\nSET n 11 KEEPTTL\nSET m -5\n");
}

TEST(KeyspaceStrings, AppendAndEncodingsAreRedis) {
  World world;
  const auto append = [&](std::string_view name, std::string_view bytes) {
    return world.space().append(world.hold(), kDb, World::key(name), bytes);
  };
  EXPECT_EQ(append("a", "5"), 1u);
  EXPECT_EQ(world.encoding("a"), "int");
  EXPECT_EQ(append("a", "6"), 2u);
  EXPECT_EQ(world.get("a"), "56");
  EXPECT_EQ(world.encoding("a"), "raw");
  world.set("a", "short");
  EXPECT_EQ(world.encoding("a"), "embstr");
  EXPECT_EQ(append("a", ""), 5u);
  EXPECT_EQ(world.encoding("a"), "raw");
  EXPECT_EQ(world.effects(), "SELECT 0\nAPPEND a 5\nAPPEND a 6\nSET a short\nAPPEND a \n");
}

// Grows from an integer through an embedded string to a long one, in uneven steps.
TEST(KeyspaceStrings, AppendGrowsThroughEveryForm) {
  World world;
  std::string expected = "7";
  world.set("a", expected, ExpiryChange::at(world.hold().now + 100));
  for (int i = 0; i < 400; ++i) {
    const std::string piece(static_cast<std::size_t>(i % 37), static_cast<char>('a' + i % 26));
    expected += piece;
    EXPECT_EQ(world.space().append(world.hold(), kDb, World::key("a"), piece), expected.size());
    ASSERT_EQ(world.get("a"), expected);
  }
  EXPECT_EQ(world.expiry("a"), world.hold().now + 100);
  world.space().remove(world.hold(), kDb, World::key("a"));
  EXPECT_EQ(world.memory(), 0);
}

TEST(KeyspaceStrings, AppendInPlaceMovesNothing) {
  World world;
  world.set("a", std::string(1000, 'x'));
  // More than any allocator rounds up to, so that it makes room for twice as much.
  world.space().append(world.hold(), kDb, World::key("a"), std::string(1000, 'y'));
  const void* data = world.space().peek(world.hold(), kDb, World::key("a"))->string().text.data();
  for (int i = 0; i < 900; ++i) world.space().append(world.hold(), kDb, World::key("a"), "z");
  EXPECT_EQ(world.space().peek(world.hold(), kDb, World::key("a"))->string().text.data(), data);
}

TEST(KeyspaceStrings, APinnedValueStaysAsItWas) {
  World world;
  world.set("a", std::string(1000, 'x'));
  world.space().append(world.hold(), kDb, World::key("a"), "y");
  const auto ref = world.space().peek(world.hold(), kDb, World::key("a"))->string();
  const auto pin = base::SharedBytes::share(ref.buffer);
  const std::string before(pin.view());
  world.space().append(world.hold(), kDb, World::key("a"), "more");
  world.space().set_range(world.hold(), kDb, World::key("a"), 3, "other");
  EXPECT_EQ(pin.view(), before);
  EXPECT_EQ(world.get("a").size(), before.size() + 4);
  world.space().remove(world.hold(), kDb, World::key("a"));
  EXPECT_EQ(pin.view(), before);
}

TEST(KeyspaceStrings, SetRangePadsWithZeros) {
  World world;
  const auto set_range = [&](std::string_view name, std::size_t offset, std::string_view bytes) {
    return world.space().set_range(world.hold(), kDb, World::key(name), offset, bytes);
  };
  EXPECT_EQ(set_range("a", 3, "xy"), 5u);
  EXPECT_EQ(world.get("a"), std::string("\0\0\0xy", 5));
  EXPECT_EQ(world.encoding("a"), "raw");
  EXPECT_EQ(set_range("a", 0, "AB"), 5u);
  EXPECT_EQ(world.get("a"), std::string("AB\0xy", 5));
  world.set("n", "12345");
  EXPECT_EQ(set_range("n", 1, "x"), 5u);
  EXPECT_EQ(world.get("n"), "1x345");
  EXPECT_EQ(set_range("n", 2000, "end"), 2003u);
  EXPECT_EQ(world.get("n"), "1x345" + std::string(1995, '\0') + "end");
  EXPECT_EQ(set_range("n", 2010, "!"), 2011u);  // in place, over the buffer's old bytes
  EXPECT_EQ(world.get("n"), "1x345" + std::string(1995, '\0') + "end" + std::string(7, '\0') + "!");
}

TEST(KeyspaceStrings, WithoutMemoryNothingIsDone) {
  constexpr std::size_t kTooFar = std::size_t{1} << 50;
  World world;
  world.set("a", "value");
  const std::int64_t before = world.memory();
  EXPECT_EQ(world.space().set_range(world.hold(), kDb, World::key("a"), kTooFar, "x"),
            std::nullopt);
  EXPECT_EQ(world.space().set_range(world.hold(), kDb, World::key("b"), kTooFar, "x"),
            std::nullopt);
  EXPECT_EQ(world.get("a"), "value");
  EXPECT_EQ(world.space().peek(world.hold(), kDb, World::key("b")), nullptr);
  EXPECT_EQ(world.memory(), before);
}

TEST(KeyspaceStrings, KeepsTheCallersBuffer) {
  World world;
  const auto buffer = base::SharedBytes::copy_of(std::string(50'000, 'b'), nullptr);
  world.space().set_string(world.hold(), kDb, World::key("a"),
                           types::StringInput(buffer.view(), &buffer), ExpiryChange::clear());
  const Entry* entry = world.space().peek(world.hold(), kDb, World::key("a"));
  EXPECT_EQ(entry->string().text.data(), buffer.data());
  EXPECT_GE(world.memory(), 50'000);
  world.set("a", "small");
  EXPECT_TRUE(buffer.sole_owner());
  EXPECT_LT(world.memory(), 1000);
}

}  // namespace
}  // namespace slotcar::keyspace
