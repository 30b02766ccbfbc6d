// The reply gate alone: bytes and log positions in, how much may be sent out.
#include "session/reply_gate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace slotcar::session {
namespace {

std::string text_of(const runtime::Output& output) {
  std::vector<struct iovec> vectors(4096);
  const std::size_t count = output.vectors(vectors.data(), vectors.size(), SIZE_MAX);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text.append(static_cast<const char*>(vectors[i].iov_base), vectors[i].iov_len);
  }
  return text;
}

class Gated : public testing::Test {
 protected:
  // A reply of that many bytes, which waits for that LSN.
  void reply(std::size_t bytes, std::uint64_t lsn) { write(std::string(bytes, 'x'), lsn, 1); }
  void write(std::string_view text, std::uint64_t lsn, std::size_t replies) {
    const runtime::Output::Mark before = output_.mark();
    output_.append(text);
    if (lsn != 0) gate_.hold_back(output_, {before, Lsn{lsn}, now_, replies});
  }
  std::string waiting() const { return text_of(output_); }
  std::size_t sendable() const { return gate_.sendable_bytes(output_); }

  runtime::Output output_;
  ReplyGate gate_;
  runtime::Nanos now_ = 0;
};

TEST_F(Gated, AReplyThatConfirmsSubscriptionsCannotBeReplaced) {
  reply(3, 7);
  EXPECT_FALSE(gate_.holds_push());
  const runtime::Output::Mark before = output_.mark();
  output_.append("*1 subscribed");
  gate_.hold_back(output_, {before, Lsn{7}, now_, 1, true});
  EXPECT_TRUE(gate_.holds_push());
  gate_.durable_up_to(Lsn{7});
  EXPECT_FALSE(gate_.holds_push());
}

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

TEST_F(Gated, EachHeldReplyIsReplacedByOneError) {
  write("a", 0, 1);
  write("bcd", 7, 3);
  write("e", 7, 1);
  write("f", 8, 1);
  EXPECT_EQ(gate_.replace_held(output_, "E"), 5u);
  EXPECT_TRUE(gate_.open());
  EXPECT_EQ(waiting(), "aEEEEE");
  EXPECT_EQ(sendable(), 6u);
}

TEST_F(Gated, WhatOnlyStandsBehindAHeldReplyStays) {
  write("b", 7, 1);
  write("pong", 0, 1);
  write("c", 5, 1);
  write("pong", 0, 1);
  output_.append("message");
  EXPECT_EQ(gate_.replace_held(output_, "E"), 2u);
  EXPECT_EQ(waiting(), "EpongEpongmessage");
}

TEST_F(Gated, WhatWasSentBeforeDoesNotMoveTheRest) {
  write("abc", 0, 1);
  write("d", 7, 1);
  write("efg", 0, 1);
  output_.consume(2);
  EXPECT_EQ(gate_.replace_held(output_, "E"), 1u);
  EXPECT_EQ(waiting(), "cEefg");
  write("h", 9, 1);
  EXPECT_EQ(sendable(), 5u);
}

TEST_F(Gated, AHeldPushIsNoReply) {
  write("a", 7, 1);
  EXPECT_FALSE(gate_.holds_push());
  write("event", 7, 0);
  EXPECT_TRUE(gate_.holds_push());
  gate_.durable_up_to(Lsn{7});
  EXPECT_FALSE(gate_.holds_push());
}

TEST_F(Gated, ABatchThatFinishedNothingIsNoPush) {
  write("", 7, 0);
  write("a", 7, 1);
  EXPECT_FALSE(gate_.holds_push());
  EXPECT_EQ(gate_.replace_held(output_, "E"), 1u);
  EXPECT_EQ(waiting(), "E");
}

TEST_F(Gated, TheFirstHeldReplySaysSinceWhen) {
  now_ = 10;
  write("a", 7, 1);
  now_ = 20;
  write("b", 9, 1);
  EXPECT_EQ(gate_.waits_since(), 10);
  gate_.durable_up_to(Lsn{7});
  EXPECT_EQ(gate_.waits_since(), 20);
}

// Replies of any length in any order, some held, some sent: each held one becomes one error in its
// place, and every other byte stays.
RC_GTEST_PROP(ReplyGateProperty, ReplacesExactlyWhatIsHeld, ()) {
  runtime::Output output;
  ReplyGate gate;
  std::string expected;
  std::size_t held = 0;
  const auto replies = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 12), rc::gen::inRange(1, 3000)));
  for (std::size_t i = 0; i < replies.size(); ++i) {
    const auto [lsn, size] = replies[i];
    const std::string text(static_cast<std::size_t>(size), static_cast<char>('a' + i % 26));
    const auto before = output.mark();
    if (size > 1000) {
      output.append(base::SharedBytes::copy_of(text, nullptr), 0, text.size());
    } else {
      output.append(text);
    }
    if (lsn > 3) {
      gate.hold_back(output, {before, Lsn{static_cast<std::uint64_t>(lsn)}, 0, 1});
      expected += "(error)";
      ++held;
    } else {
      expected += text;
    }
  }
  const std::size_t sent = std::min<std::size_t>(gate.sendable_bytes(output), 700);
  output.consume(sent);
  RC_ASSERT(gate.replace_held(output, "(error)") == held);
  RC_ASSERT(text_of(output) == expected.substr(sent));
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
      if (lsn > durable) gate.hold_back(output, {before, Lsn{lsn}, 0, 1});
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
