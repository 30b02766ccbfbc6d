// The examples, and the C++ of the documents, run as their readers would run them.
#include <gtest/gtest.h>

#include <cstdlib>

#include "redis_server.h"

namespace slotcar::client {
namespace {

class Example : public testing::TestWithParam<const char*> {};

TEST_P(Example, Runs) {
  SLOTCAR_NEEDS_REDIS_SERVER();
  const RedisServer server({"--save", ""});
  const std::string command = std::string(SLOTCAR_BINARIES) + "/" + GetParam() + " " + server.uri();
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

// The cluster's example runs in the topologies' test, which has a cluster.
INSTANTIATE_TEST_SUITE_P(All, Example,
                         testing::Values("example_quick_start", "example_coroutine",
                                         "example_tracking_cache", "example_work_queue",
                                         "example_bank_transfer", "example_pub_sub",
                                         "example_foreign_loop", "page_lanes", "page_client",
                                         "page_client-comparison"));

}  // namespace
}  // namespace slotcar::client
