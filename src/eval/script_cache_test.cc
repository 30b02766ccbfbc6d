// What EVAL brought goes, the least used first; what SCRIPT LOAD brought stays.
#include "eval/script_cache.h"

#include <gtest/gtest.h>

#include <string>

#include "base/limits.h"

namespace slotcar::eval {
namespace {

std::shared_ptr<Script> script(const std::string& sha) {
  auto made = std::make_shared<Script>();
  made->sha = sha;
  made->text = "return 1";
  return made;
}

TEST(ScriptCache, ForgetsTheLeastUsedOfEval) {
  ScriptCache cache;
  cache.add(script("loaded"), ScriptCache::From::script_load);
  for (std::size_t i = 0; i < limits::kEvalScriptsMax; ++i) {
    cache.add(script(std::to_string(i)), ScriptCache::From::eval);
  }
  EXPECT_EQ(cache.numbers().scripts, limits::kEvalScriptsMax + 1);
  EXPECT_EQ(cache.numbers().evicted, 0u);
  const auto second = cache.find("1");
  cache.note_use(*cache.find("0"));
  cache.add(script("one more"), ScriptCache::From::eval);
  EXPECT_EQ(cache.numbers().evicted, 1u);
  EXPECT_NE(cache.find("0"), nullptr);
  EXPECT_EQ(cache.find("1"), nullptr);
  EXPECT_FALSE(second->is_cached);
  EXPECT_NE(cache.find("loaded"), nullptr);
}

TEST(ScriptCache, KeepsWhatIsLoadedAfterwards) {
  ScriptCache cache;
  const auto first = cache.add(script("a"), ScriptCache::From::eval);
  EXPECT_EQ(cache.add(script("a"), ScriptCache::From::script_load), first);
  for (std::size_t i = 0; i < 2 * limits::kEvalScriptsMax; ++i) {
    cache.add(script(std::to_string(i)), ScriptCache::From::eval);
  }
  EXPECT_NE(cache.find("a"), nullptr);
}

TEST(ScriptCache, AFlushForgetsAll) {
  ScriptCache cache;
  const auto loaded = cache.add(script("a"), ScriptCache::From::script_load);
  cache.flush();
  EXPECT_EQ(cache.find("a"), nullptr);
  EXPECT_FALSE(loaded->is_cached);
  EXPECT_EQ(cache.numbers().scripts, 0u);
  EXPECT_EQ(cache.numbers().bytes, 0u);
}

}  // namespace
}  // namespace slotcar::eval
