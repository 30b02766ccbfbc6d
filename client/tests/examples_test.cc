// The examples, and the C++ of the documents, run as their readers would run them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "redis_server.h"

namespace slotcar::client {
namespace {

// The cluster's example runs in the topologies' test, which has a cluster.
std::vector<std::string> programs() {
  std::vector<std::string> all = {"page_lanes", "page_client", "page_client-comparison"};
  std::istringstream names(SLOTCAR_EXAMPLES);
  for (std::string name; names >> name;) {
    if (name != "cluster") all.push_back("example_" + name);
  }
  return all;
}

class Example : public testing::TestWithParam<std::string> {};

TEST_P(Example, Runs) {
  SLOTCAR_NEEDS_REDIS_SERVER();
  const RedisServer server({"--save", ""});
  const std::string command = std::string(SLOTCAR_BINARIES) + "/" + GetParam() + " " + server.uri();
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

INSTANTIATE_TEST_SUITE_P(All, Example, testing::ValuesIn(programs()), [](const auto& one) {
  std::string name = one.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace slotcar::client
