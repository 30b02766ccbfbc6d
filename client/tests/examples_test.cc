// The examples, run as their readers would run them.
#include <gtest/gtest.h>

#include <cstdlib>

#include "redis_server.h"

namespace slotcar::client {
namespace {

class Example : public testing::TestWithParam<const char*> {};

TEST_P(Example, Runs) {
  SLOTCAR_NEEDS_REDIS_SERVER();
  const RedisServer server({"--save", ""});
  const std::string command =
      std::string(SLOTCAR_BINARIES) + "/example_" + GetParam() + " " + server.uri();
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

// The cluster's example runs in the topologies' test, which has a cluster.
INSTANTIATE_TEST_SUITE_P(All, Example,
                         testing::Values("quick_start", "coroutine", "tracking_cache", "work_queue",
                                         "bank_transfer", "pub_sub"));

}  // namespace
}  // namespace slotcar::client
