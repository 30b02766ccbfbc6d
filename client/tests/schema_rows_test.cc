// The client's rows against the declarations of Slotcar's own commands. The library does not link
// them (it also knows commands that only other servers have, and none of the handlers); its rows
// are generated, and this test says when that was not done.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/ascii.h"
#include "command_table.h"
#include "schema/command_table.h"

namespace slotcar::client {
namespace {

using schema::Access;
using schema::Command;
using schema::KeySpec;

// They touch no data, although they are not called readonly.
const std::set<std::string> kHarmless = {"ping", "echo",   "time",  "role",   "lastsave",
                                         "info", "object", "xinfo", "memory", "command"};

std::string lower(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = base::to_lower(c);
  return text;
}

bool same_place(const KeySpec& a, const KeySpec& b) {
  return a.begin == b.begin && a.find == b.find && a.index == b.index && a.last == b.last &&
         a.step == b.step && a.limit == b.limit && a.count_at == b.count_at && a.first == b.first &&
         base::equals_ignoring_case(lower(a.keyword), b.keyword);
}

// Keys found by a function are checked against a server (SORT's STORE); the rest is in both tables.
void expect_same_keys(const CommandRow& row, const Command& command) {
  std::size_t number = 0;
  for (const KeySpec& theirs : command.keys.list()) {
    if (theirs.find == KeySpec::Find::function) continue;
    ASSERT_LT(number, row.keys.count) << command.name << " has a key that the row does not know";
    EXPECT_TRUE(same_place(row.keys.specs[number], theirs)) << command.name << ", key " << number;
    ++number;
  }
  EXPECT_EQ(number, row.keys.count) << command.name << " does not have all keys of the row";
}

void expect_same_traits(const CommandRow& row, const Command& command) {
  const std::string name = lower(command.name);
  EXPECT_EQ(has(row.traits, Trait::writes), has(command.access, Access::write)) << name;
  EXPECT_EQ(has(row.traits, Trait::reads),
            has(command.access, Access::readonly) || kHarmless.contains(name))
      << name;
  EXPECT_EQ(has(row.traits, Trait::blocks | Trait::blocks_if_told),
            has(command.access, Access::blocking) || name.starts_with("wait"))
      << name;
  EXPECT_FALSE(has(row.traits, Trait::reads) && has(row.traits, Trait::writes)) << name;
}

TEST(CommandRows, AgreeWithTheDeclarations) {
  const CommandTable table;
  for (const Command* command : schema::all_commands()) {
    const std::size_t bar = command->name.find('|');
    const std::size_t number = table.find(command->name.substr(0, bar));
    ASSERT_NE(number, CommandTable::kUnknown) << command->name;
    const CommandRow& row = table.row(number);
    if (bar == std::string_view::npos) {
      expect_same_traits(row, *command);
      if (command->runs.form != schema::Runs::Form::container) expect_same_keys(row, *command);
      continue;
    }
    // One row serves all subcommands: where they have keys, these are the row's; where the row says
    // that nothing is changed, none of them changes anything.
    if (command->keys.count > 0) expect_same_keys(row, *command);
    if (has(row.traits, Trait::reads)) {
      EXPECT_FALSE(has(command->access, Access::write)) << command->name;
    }
  }
}

TEST(CommandRows, ForeignOnesAreNotServedHere) {
  std::set<std::string> served;
  for (const Command* command : schema::all_commands()) served.insert(lower(command->name));
  for (const CommandRow& row : foreign_command_rows()) {
    EXPECT_FALSE(served.contains(std::string(row.name)))
        << row.name
        << " is served: remove it from client/src/foreign_rows.cc and run the generator";
  }
}

}  // namespace
}  // namespace slotcar::client
