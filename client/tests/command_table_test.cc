// The client's rows against a server's own description of its commands: flags and keys.
#include "command_table.h"

#include <gtest/gtest.h>

#include <set>

#include "redis_server.h"
#include "slotcar/slotcar.h"

namespace slotcar::client {
namespace {

// The keys of a made-up call, as the table finds them and as the server does. Numbers everywhere: a
// count of keys is then one too.
void expect_same_keys(Client& client, const CommandRow& row, std::int64_t arity) {
  if (row.keys.count == 0 || row.name == "migrate" || row.name.starts_with("x")) return;
  for (const std::int64_t extra : {0, 1, 2}) {
    const std::int64_t words = arity > 0 ? arity : -arity + extra;
    Request request(row.name);
    for (std::int64_t i = 1; i < words; ++i) request.arg("1");
    Request ask("COMMAND");
    ask.arg("GETKEYS").arg(row.name);
    for (std::int64_t i = 1; i < words; ++i) ask.arg("1");
    const auto theirs = client.run(std::move(ask));
    if (!theirs) continue;  // not a valid call
    EXPECT_EQ(keys_of(row, request).size(), theirs->size()) << row.name << " of " << words;
  }
}

TEST(CommandRows, AgreeWithTheServer) {
  SLOTCAR_NEEDS_REDIS_SERVER();
  const RedisServer server({"--save", ""});
  // They touch no data, although the server does not call them readonly.
  const std::set<std::string> harmless = {"ping", "echo",   "time",  "role",   "lastsave",
                                          "info", "object", "xinfo", "memory", "command"};
  Client client({.uri = server.uri("?lanes=1&protocol=2")});
  const auto commands = client.run(Request("COMMAND"));
  ASSERT_TRUE(commands.ok());
  const CommandTable table;
  for (const Reply& command : commands->items()) {
    const std::string name = command[0].text();
    std::set<std::string> flags;
    for (const Reply& flag : command[2].items()) flags.insert(flag.text());
    const std::size_t number = table.find(name);
    ASSERT_NE(number, CommandTable::kUnknown) << name;
    const CommandRow& row = table.row(number);
    EXPECT_EQ(has(row.traits, Trait::reads), flags.contains("readonly") || harmless.contains(name))
        << name;
    EXPECT_EQ(has(row.traits, Trait::writes), flags.contains("write")) << name;
    EXPECT_EQ(has(row.traits, Trait::blocks | Trait::blocks_if_told),
              flags.contains("blocking") || name.starts_with("wait"))
        << name;
    const std::int64_t first = *command[3].as_integer();
    if (first > 0) {
      EXPECT_EQ(row.keys.specs[0].index, first) << name;
    }
    expect_same_keys(client, row, *command[1].as_integer());
  }
}

}  // namespace
}  // namespace slotcar::client
