// What concurrent clients must never see, with real threads; also run under the thread sanitizer.
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "concurrency/scenario.h"

namespace slotcar::concurrency {
namespace {

#if defined(SLOTCAR_SANITIZED)
constexpr int kRounds = 500;
#else
constexpr int kRounds = 3000;
#endif

struct Shape {
  const char* name;
  std::uint32_t shards;
  std::uint32_t workers;
  runtime::Backend backend;
};

void PrintTo(const Shape& shape, std::ostream* out) {
  *out << shape.name;
}

class Atomicity : public testing::TestWithParam<Shape> {
 protected:
  Atomicity() : live_(options()) {}

  static world::LiveOptions options() {
    world::LiveOptions options;
    options.shards = GetParam().shards;
    options.workers = GetParam().workers;
    options.backend = GetParam().backend;
    options.more_commands = slow_commands();
    return options;
  }
  void expect_to_hold(Scenario scenario) {
    for (const std::string& complaint : run_live(std::move(scenario), live_)) {
      ADD_FAILURE() << complaint;
    }
  }

  world::LiveNode live_;
};

TEST_P(Atomicity, WritesOfSeveralKeysAreSeenWholly) {
  expect_to_hold(whole_writes({.rounds = kRounds}));
}

TEST_P(Atomicity, SlowHoldersOfTokensToo) {
  expect_to_hold(whole_writes({.rounds = kRounds / 2, .slow = true}));
}

TEST_P(Atomicity, TransfersKeepTheSum) {
  expect_to_hold(transfers({.rounds = kRounds}));
}

TEST_P(Atomicity, TransfersByScriptsKeepTheSum) {
  expect_to_hold(scripted_transfers({.rounds = kRounds / 2}, 0));
  EXPECT_GT(live_.node().scripts().numbers().tokens_gained, 0);
}

TEST_P(Atomicity, WhatMovesIsAlwaysSomewhere) {
  expect_to_hold(moves({.rounds = kRounds}));
}

TEST_P(Atomicity, SweepsAreWhole) {
  expect_to_hold(sweeps({.rounds = kRounds}));
}

TEST_P(Atomicity, PipelinesKeepTheirOrder) {
  expect_to_hold(pipelines({.rounds = 2 * kRounds}));
}

INSTANTIATE_TEST_SUITE_P(All, Atomicity,
                         testing::Values(Shape{"many_shards", 64, 4, runtime::Backend::epoll},
                                         Shape{"few_shards", 4, 4, runtime::Backend::epoll}),
                         [](const testing::TestParamInfo<Shape>& shape) {
                           return shape.param.name;
                         });

}  // namespace
}  // namespace slotcar::concurrency
