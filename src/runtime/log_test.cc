#include "runtime/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace slotcar::runtime {
namespace {

using ::testing::MatchesRegex;

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

TEST(Log, WritesLinesInRedisForm) {
  std::string directory = (std::filesystem::temp_directory_path() / "slotcar_log_XXXXXX").string();
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);
  const std::string path = directory + "/log";
  auto logger = make_logger(path, LogLevel::notice);
  ASSERT_TRUE(logger.ok());
  (*logger)->debug("not {}", "this");
  (*logger)->verbose("nor this");
  (*logger)->notice("Ready to accept {} of {{}}", 7);
  (*logger)->warning("text with {} from outside", "{braces} %s");
  (*logger)->set_level(LogLevel::debug);
  (*logger)->debug("now");
  (*logger)->verbose("too");

  const std::vector<std::string> lines = lines_of(path);
  const std::string head =
      std::to_string(::getpid()) +
      ":M [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3} ";
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_THAT(lines[0], MatchesRegex(head + R"(\* Ready to accept 7 of \{\})"));
  EXPECT_THAT(lines[1], MatchesRegex(head + R"(# text with \{braces\} %s from outside)"));
  EXPECT_THAT(lines[2], MatchesRegex(head + R"(\. now)"));
  EXPECT_THAT(lines[3], MatchesRegex(head + "- too"));
  std::filesystem::remove_all(directory);
}

TEST(Log, AFileThatCannotBeOpenedIsAnError) {
  std::string directory = (std::filesystem::temp_directory_path() / "slotcar_log_XXXXXX").string();
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);
  auto logger = make_logger(directory + "/missing/log", LogLevel::notice);
  ASSERT_FALSE(logger.ok());
  EXPECT_EQ(logger.error().message,
            "cannot open the log file " + directory + "/missing/log: No such file or directory");
  EXPECT_FALSE(std::filesystem::exists(directory + "/missing"));
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace slotcar::runtime
