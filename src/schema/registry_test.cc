#include "schema/registry.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "base/ascii.h"

namespace slotcar::schema {
namespace {

Command named(std::string_view name, KeySpecs keys = {}) {
  return {.name = name,
          .summary = "",
          .since = "",
          .group = Group::generic,
          .arity = at_least(1),
          .keys = keys,
          .runs = container()};
}

class RegistryTest : public testing::Test {
 protected:
  void add(std::string_view name, KeySpecs keys = {}) { commands_.push_back(named(name, keys)); }
  Registry build() const {
    std::vector<const Command*> table;
    for (const Command& command : commands_) table.push_back(&command);
    return Registry(table);
  }
  static std::string_view name_of(const Registered* found) {
    return found ? found->command->name : "";
  }

  std::deque<Command> commands_;
};

TEST_F(RegistryTest, FindsInAnyCase) {
  for (const auto name : {"GET", "SET", "ZREVRANGEBYSCORE", "PEXPIREAT", "EXPIREAT"}) add(name);
  const Registry registry = build();
  EXPECT_EQ(name_of(registry.find("get")), "GET");
  EXPECT_EQ(name_of(registry.find("gEt")), "GET");
  EXPECT_EQ(name_of(registry.find("GET")), "GET");
  EXPECT_EQ(name_of(registry.find("zrevRANGEbyscore")), "ZREVRANGEBYSCORE");
  EXPECT_EQ(name_of(registry.find("expireat")), "EXPIREAT");
}

TEST_F(RegistryTest, WhatIsNearlyANameIsUnknown) {
  for (const auto name : {"GET", "EXPIREAT", "PEXPIREAT", "CLIENT", "CLIENT|KILL"}) add(name);
  const Registry registry = build();
  using namespace std::string_view_literals;
  for (const auto name : {""sv, "G"sv, "GE"sv, "GETT"sv, "GET\0"sv, "\0GET"sv, "EXPIREA"sv,
                          "EXPIREATT"sv, "PEXPIREA"sv, "PEXPIREAX"sv, "client|kill"sv, "KILL"sv,
                          "\x27"
                          "ET"sv,
                          "\xc7"
                          "ET"sv,
                          "g\xe5t"sv}) {
    EXPECT_EQ(registry.find(name), nullptr) << name;
  }
}

// Only letters have case: other bytes that differ in the same bit stay different.
TEST_F(RegistryTest, OnlyLettersAreFolded) {
  for (const auto name : {"A_B", "[X]"}) add(name);
  const Registry registry = build();
  EXPECT_EQ(name_of(registry.find("a_b")), "A_B");
  EXPECT_EQ(registry.find("a\x7f"
                          "b"),
            nullptr);
  EXPECT_EQ(name_of(registry.find("[x]")), "[X]");
  EXPECT_EQ(registry.find("{x}"), nullptr);
}

TEST_F(RegistryTest, NamesOfEveryLengthAndWithEqualBeginnings) {
  std::vector<std::string> names;
  for (std::size_t length = 1; length <= 24; ++length) {
    names.push_back(std::string(length, 'A'));
    names.push_back(std::string(length, 'A'));
    names.back().back() = 'B';
  }
  for (const auto& name : names) add(name);
  const Registry registry = build();
  for (const auto& name : names) {
    EXPECT_EQ(name_of(registry.find(name)), name);
    EXPECT_EQ(name_of(registry.find(base::lowered(name))), name);
  }
  // Unknown names that begin like known ones, often enough to hit their cells.
  for (std::size_t length = 25; length <= 2000; ++length) {
    EXPECT_EQ(registry.find(std::string(length, 'A')), nullptr);
  }
}

TEST_F(RegistryTest, NumbersAreDense) {
  for (const auto name : {"A", "B", "C|D", "C"}) add(name);
  const Registry registry = build();
  ASSERT_EQ(registry.size(), 4u);
  for (std::size_t i = 0; i < registry.size(); ++i) EXPECT_EQ(registry.all()[i].number, i);
}

TEST_F(RegistryTest, SubcommandsHangOnTheirContainer) {
  // The container may come after its subcommands in the table.
  for (const auto name : {"CLIENT|KILL", "CLIENT|ID", "CLIENT", "CONFIG", "CONFIG|GET", "GET"}) {
    add(name);
  }
  const Registry registry = build();
  const Registered* client = registry.find("client");
  ASSERT_NE(client, nullptr);
  EXPECT_EQ(client->subcommands.size(), 2u);
  const Registered* kill = registry.find_subcommand(*client, "kIlL");
  EXPECT_EQ(name_of(kill), "CLIENT|KILL");
  EXPECT_EQ(kill->container, client);
  EXPECT_EQ(kill->lower_name, "client|kill");
  EXPECT_EQ(registry.find_subcommand(*client, "GET"), nullptr);
  EXPECT_EQ(registry.find_subcommand(*registry.find("get"), "x"), nullptr);
}

TEST_F(RegistryTest, FullNames) {
  for (const auto name : {"CLIENT", "CLIENT|KILL", "GET"}) add(name);
  const Registry registry = build();
  EXPECT_EQ(name_of(registry.find_full("Client|Kill")), "CLIENT|KILL");
  EXPECT_EQ(name_of(registry.find_full("get")), "GET");
  EXPECT_EQ(registry.find_full("client|nope"), nullptr);
  EXPECT_EQ(registry.find_full("nope|kill"), nullptr);
  EXPECT_EQ(registry.find_full("get|"), nullptr);
  EXPECT_EQ(registry.find_full("|"), nullptr);
}

TEST_F(RegistryTest, ARenamedCommandIsFoundByItsNewName) {
  for (const auto name : {"CONFIG", "CONFIG|GET", "ZREVRANGEBYSCORE", "GET"}) add(name);
  Registry registry = build();
  const Registered* config = registry.find("config");
  ASSERT_TRUE(registry.rename("Config", "Of-Administrators").ok());
  EXPECT_EQ(registry.find("config"), nullptr);
  EXPECT_EQ(registry.find_full("config|get"), nullptr);
  EXPECT_EQ(registry.find("of-ADMINISTRATORS"), config);
  EXPECT_EQ(registry.find("of-admiNOSTRATORS"), nullptr);
  EXPECT_EQ(name_of(registry.find_full("of-administrators|get")), "CONFIG|GET");
  // For the log and for rules it has the name that it was declared with.
  EXPECT_EQ(config->lower_name, "config");
  EXPECT_EQ(registry.find_declared("CONFIG"), config);
  EXPECT_EQ(name_of(registry.find_declared_full("config|get")), "CONFIG|GET");
  EXPECT_EQ(registry.find_declared("of-administrators"), nullptr);
  // By its new name it can be renamed again, and its old one is free.
  ASSERT_TRUE(registry.rename("of-administrators", "x").ok());
  ASSERT_TRUE(registry.rename("zrevrangebyscore", "config").ok());
  EXPECT_EQ(registry.find("x"), config);
  EXPECT_EQ(name_of(registry.find("config")), "ZREVRANGEBYSCORE");
  EXPECT_EQ(name_of(registry.find("get")), "GET");
}

TEST_F(RegistryTest, ARemovedCommandIsNotFound) {
  for (const auto name : {"CONFIG", "CONFIG|GET", "GET"}) add(name);
  Registry registry = build();
  ASSERT_TRUE(registry.rename("config", "").ok());
  EXPECT_EQ(registry.find("config"), nullptr);
  EXPECT_EQ(registry.find(""), nullptr);
  EXPECT_EQ(registry.find_full("config|get"), nullptr);
  ASSERT_NE(registry.find_declared_full("config|get"), nullptr);
  EXPECT_TRUE(registry.find_declared("config")->removed);
  EXPECT_TRUE(registry.find_declared_full("config|get")->removed);
  EXPECT_FALSE(registry.find("get")->removed);
  EXPECT_FALSE(registry.rename("config", "x").ok());
}

TEST_F(RegistryTest, RenamesThatAreRefusedChangeNothing) {
  for (const auto name : {"CLIENT", "CLIENT|KILL", "GET", "SET"}) add(name);
  Registry registry = build();
  EXPECT_EQ(registry.rename("nope", "x").error().message, "No such command in rename-command");
  EXPECT_EQ(registry.rename("client|kill", "x").error().message,
            "No such command in rename-command");
  EXPECT_EQ(registry.rename("get", "SET").error().message, "Target command name already exists");
  EXPECT_TRUE(registry.rename("get", "GET").ok());
  EXPECT_EQ(name_of(registry.find("get")), "GET");
  EXPECT_EQ(name_of(registry.find("set")), "SET");
}

TEST_F(RegistryTest, KnowsMovableKeys) {
  add("GET", key_at(1, KeyUse::ro));
  add("EVAL", keys_counted_at(2, KeyUse::rw));
  const Registry registry = build();
  EXPECT_FALSE(registry.find("get")->movable_keys);
  EXPECT_TRUE(registry.find("eval")->movable_keys);
}

TEST_F(RegistryTest, AnEmptyTableFindsNothing) {
  EXPECT_EQ(build().find("GET"), nullptr);
}

using RegistryDeathTest = RegistryTest;

TEST_F(RegistryDeathTest, TwoCommandsOfOneNameAreAMistake) {
  add("GET");
  add("get");
  EXPECT_DEATH(build(), "find");
}

TEST_F(RegistryDeathTest, ASubcommandWithoutContainerIsAMistake) {
  add("CLIENT|KILL");
  EXPECT_DEATH(build(), "container");
}

}  // namespace
}  // namespace slotcar::schema
