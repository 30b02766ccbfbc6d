#include "shard/shown_call.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "schema/command.h"

namespace slotcar::shard {
namespace {

constexpr std::size_t kMax = limits::kMonitoredBytesMax;

std::string shown(const std::vector<std::string>& words, std::string_view name = "SET") {
  schema::Command command{};
  command.name = name;
  schema::Registered registered{};
  registered.command = &command;
  Call call;
  for (const std::string& word : words) call.arguments().add(std::string_view(word));
  call.set_command(registered);
  return shown_arguments(call);
}

TEST(ShownCall, QuotesEveryArgument) {
  EXPECT_EQ(shown({"set", "a key", "\n\x01"}), R"( "set" "a key" "\n\x01")");
  EXPECT_EQ(shown({"set", "", ""}), R"( "set" "" "")");
}

TEST(ShownCall, HidesSecrets) {
  EXPECT_EQ(shown({"MIGRATE", "h", "1", "k", "0", "9", "AUTH", "secret"}, "MIGRATE"),
            R"x( "MIGRATE" "h" "1" "k" "0" "9" "AUTH" "(redacted)")x");
}

TEST(ShownCall, ShowsTheBeginningOfALongOne) {
  const std::size_t room = kMax - 4 - 2;  // behind "set" and "k"
  const std::string fits(room, 'x');
  EXPECT_EQ(shown({"set", "k", fits}), " \"set\" \"k\" \"" + fits + "\"");
  EXPECT_EQ(shown({"set", "k", fits + "yz", "EX", "1"}),
            " \"set\" \"k\" \"" + fits + "... (2 more bytes)\" \"... (2 more arguments)\"");
  EXPECT_EQ(shown({"set", "k", fits, "EX"}),
            " \"set\" \"k\" \"" + fits + "\" \"... (1 more arguments)\"");
}

TEST(ShownCall, ShowsTheFirstOfVeryMany) {
  const std::string text = shown(std::vector<std::string>(kMax + 5));
  EXPECT_EQ(text.size(), 3 * kMax + std::string_view(" \"... (5 more arguments)\"").size());
  EXPECT_TRUE(text.ends_with(" \"\" \"... (5 more arguments)\"")) << text.substr(text.size() - 40);
}

}  // namespace
}  // namespace slotcar::shard
