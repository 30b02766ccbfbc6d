// Libraries as a set, and their payload in both directions.
#include "eval/functions.h"

#include <gtest/gtest.h>

namespace slotcar::eval {
namespace {

std::shared_ptr<const LibraryInfo> library(const std::string& name, const std::string& function) {
  auto made = std::make_shared<LibraryInfo>();
  made->name = name;
  made->text = "#!lua name=" + name + "\ntext";
  made->functions.emplace_back().name = function;
  return made;
}

TEST(Libraries, NamesOfLibrariesAndFunctionsAreUnique) {
  Libraries all;
  ASSERT_TRUE(all.add(library("a", "f"), false));
  EXPECT_FALSE(all.add(library("a", "g"), false));
  EXPECT_FALSE(all.add(library("b", "F"), false));
  EXPECT_TRUE(all.add(library("a", "g"), true));
  EXPECT_EQ(all.find("f"), nullptr);
  ASSERT_NE(all.find("g"), nullptr);
  EXPECT_EQ(all.find("g")->library->name, "a");
  EXPECT_TRUE(all.remove("a"));
  EXPECT_FALSE(all.remove("a"));
  EXPECT_EQ(all.functions(), 0u);
}

TEST(Libraries, ADumpIsReadBack) {
  Libraries all;
  ASSERT_TRUE(all.add(library("a", "f"), false));
  ASSERT_TRUE(all.add(library("b", "g"), false));
  all.keep_unread(library("c", "h")->text);
  const std::string payload = dump_libraries(all);
  const auto texts = read_dumped_libraries(payload);
  ASSERT_TRUE(texts);
  EXPECT_EQ(*texts, all.texts());
  EXPECT_FALSE(read_dumped_libraries(payload.substr(1)));
  std::string damaged = payload;
  damaged[3] ^= 1;
  EXPECT_FALSE(read_dumped_libraries(damaged));
  EXPECT_FALSE(read_dumped_libraries(""));
}

}  // namespace
}  // namespace slotcar::eval
