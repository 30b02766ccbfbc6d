// The reply gate alone: bytes and log positions in, how much may be sent out.
#include "session/reply_gate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace slotcar::session {
namespace {

class Gated : public testing::Test {
 protected:
  // A reply of that many bytes, which waits for that LSN.
  void reply(std::size_t bytes, std::uint64_t lsn) {
    const runtime::Output::Mark before = output_.mark();
    output_.append(std::string(bytes, 'x'));
    gate_.hold_back(before, Lsn{lsn});
  }
  std::size_t sendable() const { return gate_.sendable_bytes(output_); }

  runtime::Output output_;
  ReplyGate gate_;
};

TEST_F(Gated, WhatWaitsForNothingMayLeave) {
  reply(5, 0);
  EXPECT_TRUE(gate_.open());
  EXPECT_EQ(sendable(), 5u);
}

TEST_F(Gated, WhatCameBeforeAGateMayLeave) {
  reply(5, 0);
  reply(3, 7);
  reply(2, 0);
  EXPECT_EQ(sendable(), 5u);
  EXPECT_EQ(gate_.waits_for(), Lsn{7});
  output_.consume(4);
  EXPECT_EQ(sendable(), 1u);
}

TEST_F(Gated, GatesOpenOneAfterTheOther) {
  reply(3, 7);
  reply(4, 9);
  gate_.durable_up_to(Lsn{6});
  EXPECT_EQ(sendable(), 0u);
  gate_.durable_up_to(Lsn{7});
  EXPECT_EQ(sendable(), 3u);
  EXPECT_EQ(gate_.waits_for(), Lsn{9});
  output_.consume(3);
  EXPECT_EQ(sendable(), 0u);
  gate_.durable_up_to(Lsn{10});
  EXPECT_TRUE(gate_.open());
  EXPECT_EQ(sendable(), 4u);
}

TEST_F(Gated, AnEarlierWriteBehindALaterOneNeedsNoGateOfItsOwn) {
  reply(3, 9);
  reply(4, 7);
  gate_.durable_up_to(Lsn{8});
  EXPECT_EQ(sendable(), 0u);
  gate_.durable_up_to(Lsn{9});
  EXPECT_EQ(sendable(), 7u);
}

TEST_F(Gated, WithoutALogEverythingMayLeave) {
  reply(3, 9);
  reply(4, 11);
  gate_.open_all();
  EXPECT_EQ(sendable(), 7u);
}

// Whatever the order of replies, sends and syncs: exactly the longest run of first bytes may leave
// of which each is durable.
RC_GTEST_PROP(ReplyGateProperty, LetsOutExactlyWhatIsDurable, ()) {
  runtime::Output output;
  ReplyGate gate;
  std::vector<std::uint64_t> waits;  // of each byte that was not sent
  std::uint64_t durable = 0;
  const auto steps = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 3), rc::gen::inRange(0, 40)));
  for (const auto& [kind, number] : steps) {
    if (kind == 0) {
      const auto before = output.mark();
      const std::uint64_t lsn = number % 4 == 0 ? 0 : static_cast<std::uint64_t>(number);
      output.append(std::string(static_cast<std::size_t>(number % 3) + 1, 'x'));
      gate.hold_back(before, Lsn{lsn <= durable ? 0 : lsn});
      waits.insert(waits.end(), static_cast<std::size_t>(number % 3) + 1, lsn);
    } else if (kind == 1) {
      durable = std::max(durable, static_cast<std::uint64_t>(number));
      gate.durable_up_to(Lsn{durable});
    } else {
      const std::size_t sent =
          std::min(gate.sendable_bytes(output), static_cast<std::size_t>(number));
      output.consume(sent);
      waits.erase(waits.begin(), waits.begin() + static_cast<std::ptrdiff_t>(sent));
    }
    std::size_t expected = 0;
    while (expected < waits.size() && waits[expected] <= durable) ++expected;
    RC_ASSERT(gate.sendable_bytes(output) == expected);
    RC_ASSERT(gate.open() == (expected == waits.size()));
  }
}

}  // namespace
}  // namespace slotcar::session
