#include "node/options.h"

#include <gtest/gtest.h>

namespace slotcar::node {
namespace {

using Words = std::vector<std::string>;

TEST(Options, file_first) {
  const Words words{"a.conf", "--port", "1"};
  const Options options = read_options(words);
  EXPECT_EQ(options.file, "a.conf");
  EXPECT_EQ(options.arguments, (Words{"--port", "1"}));
  EXPECT_FALSE(options.from_stdin);
}

TEST(Options, a_dash_reads_standard_input_first_or_last) {
  const Words first{"-", "--port", "1"};
  EXPECT_TRUE(read_options(first).from_stdin);
  EXPECT_EQ(read_options(first).arguments, (Words{"--port", "1"}));
  const Words last{"a.conf", "--port", "1", "-"};
  EXPECT_TRUE(read_options(last).from_stdin);
  const Words value{"--requirepass", "-", "--port", "1"};
  EXPECT_FALSE(read_options(value).from_stdin);
}

TEST(Options, help_and_version_stand_alone) {
  EXPECT_TRUE(read_options(Words{"--help"}).help);
  EXPECT_TRUE(read_options(Words{"-v"}).version);
  EXPECT_FALSE(read_options(Words{"--version", "x"}).version);
  EXPECT_FALSE(read_options(Words{}).help);
}

}  // namespace
}  // namespace slotcar::node
