// Replies that are nested as deeply as a script can nest tables: they are written without
// recursion, and cut where Lua's stack ends. The depths and the bytes are redis-server's.
#include <gtest/gtest.h>

#include <string>

#include "scripting/testing/test_host.h"

namespace slotcar::scripting {
namespace {

constexpr std::string_view kLimit = "-ERR reached lua stack limit\r\n";

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}
// Wraps `inner` so many times: in each step the script replaces `t` by what `wrap` makes of it.
std::string nested(const std::string& inner, const std::string& wrap, int depth) {
  return "local t = " + inner + " for i = 1, " + std::to_string(depth) + " do t = " + wrap +
         " end return t";
}

// What fits: an array takes one place of Lua's stack, a map or a set more.
constexpr int kArraysMax = 7994;
constexpr int kMapsMax = 2664;
constexpr int kMapsInKeysMax = 1998;
constexpr int kSetsMax = 2664;

TEST(ReplyDepth, ArraysAreWrittenDownToTheEndOfLuasStack) {
  TestInterpreter lua;
  const std::string outer = repeated("*1\r\n", kArraysMax);
  const std::string cut = outer + "*1\r\n" + std::string(kLimit);
  EXPECT_EQ(lua.eval(nested("{}", "{t}", kArraysMax)), outer + "*0\r\n");
  EXPECT_EQ(lua.eval(nested("{}", "{t}", kArraysMax + 1)), cut);
  EXPECT_EQ(lua.eval(nested("{}", "{t}", 3 * kArraysMax)), cut);
  EXPECT_EQ(lua.ended.how, Interpreter::Ended::How::returned);
  EXPECT_EQ(lua.eval("return 1"), ":1\r\n");
}

// What comes behind the part that is cut is still written.
TEST(ReplyDepth, TheRestOfACutReplyFollows) {
  TestInterpreter lua;
  EXPECT_EQ(
      lua.eval(nested("{}", "{t, 2}", 3 * kArraysMax)),
      repeated("*2\r\n", kArraysMax + 1) + repeated(kLimit, 2) + repeated(":2\r\n", kArraysMax));
}

TEST(ReplyDepth, MapsInTheirValues) {
  TestInterpreter lua;
  const std::string fits = nested("{map={}}", "{map={k=t}}", kMapsMax);
  const std::string deeper = nested("{map={}}", "{map={k=t}}", 3 * kMapsMax);
  EXPECT_EQ(lua.eval3(fits), repeated("%1\r\n$1\r\nk\r\n", kMapsMax) + "%0\r\n");
  EXPECT_EQ(lua.eval(fits), repeated("*2\r\n$1\r\nk\r\n", kMapsMax) + "*0\r\n");
  EXPECT_EQ(lua.eval3(deeper),
            repeated("%1\r\n$1\r\nk\r\n", kMapsMax) + "%1\r\n" + repeated(kLimit, 2));
}

TEST(ReplyDepth, MapsInTheirKeys) {
  TestInterpreter lua;
  EXPECT_EQ(lua.eval3(nested("{map={}}", "{map={[t]=1}}", kMapsInKeysMax)),
            repeated("%1\r\n", kMapsInKeysMax) + "%0\r\n" + repeated(":1\r\n", kMapsInKeysMax));
  EXPECT_EQ(lua.eval3(nested("{map={}}", "{map={[t]=1}}", 3 * kMapsInKeysMax)),
            repeated("%1\r\n", kMapsInKeysMax + 1) + repeated(kLimit, 2) +
                repeated(":1\r\n", kMapsInKeysMax));
}

TEST(ReplyDepth, Sets) {
  TestInterpreter lua;
  const std::string fits = nested("{set={}}", "{set={[t]=true}}", kSetsMax);
  EXPECT_EQ(lua.eval3(fits), repeated("~1\r\n", kSetsMax) + "~0\r\n");
  EXPECT_EQ(lua.eval(fits), repeated("*1\r\n", kSetsMax) + "*0\r\n");
  EXPECT_EQ(lua.eval3(nested("{set={}}", "{set={[t]=true}}", 3 * kSetsMax)),
            repeated("~1\r\n", kSetsMax + 1) + std::string(kLimit));
}

}  // namespace
}  // namespace slotcar::scripting
