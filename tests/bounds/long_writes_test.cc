// A write to a long string: a worker does it if only the changed bytes are written; the slow lane
// does it if much is written, or if the whole string is copied first.
#include <gtest/gtest.h>

#include <string>

#include "resp/format.h"
#include "world/live_node.h"

namespace slotcar::bounds {
namespace {

using world::Words;

constexpr std::size_t kMebibyte = 1 << 20;
constexpr std::size_t kGrowth = 64 * 1024;  // more than an allocator rounds up

class LongWrites : public testing::Test {
 protected:
  std::string run(const Words& words) { return resp::format(client_.run(words)); }
  // How many calls of a command the threads of the slow lane have run.
  std::int64_t slow_calls(std::string_view name) {
    const std::size_t number = live_.node().registry().find(name)->number;
    std::int64_t sum = 0;
    for (const auto& thread : live_.node().slow_lane().threads()) {
      sum += thread->commands[number].calls.get();
    }
    return sum;
  }
  bool goes_slow(const Words& words) {
    const std::int64_t before = slow_calls(words[0]);
    const std::string answer = run(words);
    EXPECT_NE(answer.front(), '-') << answer;
    return slow_calls(words[0]) != before;
  }
  // Three mebibytes and room behind them.
  void make_long(const std::string& key) {
    run({"SET", key, std::string(3 * kMebibyte, 'v')});
    run({"APPEND", key, std::string(kGrowth, 'v')});
  }

  world::LiveNode live_;
  world::LiveClient client_{live_.port()};
};

TEST_F(LongWrites, InPlaceByAWorker) {
  make_long("k");
  EXPECT_FALSE(goes_slow({"SETBIT", "k", "77", "1"}));
  EXPECT_FALSE(goes_slow({"SETRANGE", "k", "77", "text"}));
  EXPECT_FALSE(goes_slow({"BITFIELD", "k", "SET", "u8", "77", "9"}));
  EXPECT_FALSE(goes_slow({"APPEND", "k", "text"}));
}

TEST_F(LongWrites, WhatACopySharesIsCopiedOnTheSlowLane) {
  for (const Words& write :
       {Words{"SETBIT", "k", "77", "0"}, Words{"SETRANGE", "k", "7", "text"},
        Words{"BITFIELD", "k", "SET", "u8", "77", "9"}, Words{"APPEND", "k", "text"}}) {
    make_long("k");
    run({"SETBIT", "k", "77", "1"});
    run({"COPY", "k", "other", "REPLACE"});
    const std::string before = run({"GETRANGE", "k", "0", "20"});
    EXPECT_TRUE(goes_slow(write)) << write[0];
    EXPECT_FALSE(goes_slow(write)) << write[0] << ", once more";
    EXPECT_EQ(run({"GETRANGE", "other", "0", "20"}), before) << write[0];
    EXPECT_EQ(run({"STRLEN", "other"}), ":" + std::to_string(3 * kMebibyte + kGrowth));
  }
}

TEST_F(LongWrites, WhatOutgrowsItsBufferIsCopiedOnTheSlowLaneAndSeldom) {
  run({"SET", "k", std::string(3 * kMebibyte, 'v')});
  int slow = 0;
  constexpr std::size_t kPieces = 24;
  const std::string piece(kMebibyte / 4, 'p');
  for (std::size_t i = 0; i < kPieces; ++i) slow += goes_slow({"APPEND", "k", piece});
  EXPECT_GT(slow, 1);
  EXPECT_LE(slow, 7);  // a quarter more each time: not one copy for each call
  EXPECT_EQ(run({"STRLEN", "k"}), ":" + std::to_string(3 * kMebibyte + kPieces * piece.size()));
}

TEST_F(LongWrites, MuchIsWrittenOnTheSlowLane) {
  make_long("k");
  EXPECT_TRUE(goes_slow({"SETRANGE", "k", "5", std::string(2 * kMebibyte, 'w')}));
  EXPECT_TRUE(goes_slow({"APPEND", "k", std::string(2 * kMebibyte, 'w')}));
  EXPECT_FALSE(goes_slow({"SET", "k", std::string(2 * kMebibyte, 'w')}));
  EXPECT_FALSE(goes_slow({"APPEND", "fresh", std::string(2 * kMebibyte, 'w')}));
}

}  // namespace
}  // namespace slotcar::bounds
