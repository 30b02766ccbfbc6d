// slotcar-bench as its users run it: every scenario, and what it writes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "redis_server.h"
#include "slotcar/slotcar.h"

namespace slotcar::client {
namespace {

std::string contents(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

class Bench : public testing::TestWithParam<const char*> {};

TEST_P(Bench, RunsAndWrites) {
  SLOTCAR_NEEDS_REDIS_SERVER();
  const RedisServer server({"--save", ""});
  const TemporaryFolder folder;
  const std::string json = folder.path() + "/out.json";
  const std::string svg = folder.path() + "/out.svg";
  const std::string command = std::string(SLOTCAR_BINARIES) + "/slotcar-bench " + GetParam() +
                              " --uri " + server.uri() +
                              " --lanes 4 --callers 8 --keys 100 --seconds 0.3 --quiet --json " +
                              json + " --svg " + svg + " > " + folder.path() + "/text";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  const std::string written = contents(json);
  for (const char* name : {"\"p50_ms\"", "\"p99_ms\"", "\"p999_ms\"", "\"per_second\""}) {
    EXPECT_NE(written.find(name), std::string::npos) << name << "\n" << written;
  }
  EXPECT_TRUE(contents(svg).starts_with("<svg "));
  EXPECT_TRUE(contents(svg).ends_with("</svg>\n"));
  EXPECT_NE(contents(folder.path() + "/text"), "");
  Client client({.uri = server.uri()});
  EXPECT_EQ(*client.run(Request("DBSIZE"))->as_integer(), 0) << "keys are left behind";
}

INSTANTIATE_TEST_SUITE_P(
    All, Bench,
    testing::Values("get", "set", "mixed", "get --rate 500",
                    "hol --lane-strategy least-used --slow-callers 2 --hash-bytes 20000",
                    "hol --slow-callers 2 --hash-bytes 20000 --link-mb-per-s 28", "blocking",
                    "transactions"));

TEST(BenchOptions, AnUnknownScenarioIsNamedWithTheKnownOnes) {
  const TemporaryFolder folder;
  const std::string command =
      std::string(SLOTCAR_BINARIES) + "/slotcar-bench gett > " + folder.path() + "/text 2>&1";
  EXPECT_NE(std::system(command.c_str()), 0);
  const std::string text = contents(folder.path() + "/text");
  EXPECT_NE(text.find("there is no scenario 'gett'"), std::string::npos) << text;
  EXPECT_NE(text.find("get, set, mixed, hol, blocking, transactions"), std::string::npos) << text;
}

TEST(BenchOptions, UnknownOnesAreRefused) {
  const std::string command =
      std::string(SLOTCAR_BINARIES) + "/slotcar-bench get --no-such-option 1 > /dev/null 2>&1";
  EXPECT_NE(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace slotcar::client
