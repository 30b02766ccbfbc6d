#include "session/outbox.h"

#include <gtest/gtest.h>

#include <string>

namespace slotcar::session {
namespace {

std::string text(const runtime::Output& output) {
  iovec vectors[16];
  const std::size_t count = output.vectors(vectors, 16, SIZE_MAX);
  std::string all;
  for (std::size_t i = 0; i < count; ++i) {
    all.append(static_cast<const char*>(vectors[i].iov_base), vectors[i].iov_len);
  }
  return all;
}

runtime::Output output(std::string_view bytes) {
  runtime::Output made;
  made.append(bytes);
  return made;
}

TEST(Outbox, RepliesAndPushesLeaveInOneOrder) {
  Outbox outbox;
  outbox.bytes().append("reply;");
  const auto from = outbox.push(base::SharedBytes::copy_of("shared;", nullptr));
  EXPECT_EQ(from.size, 6u);
  outbox.push(output("own;"));
  outbox.bytes().append("reply");
  EXPECT_EQ(text(outbox.bytes()), "reply;shared;own;reply");
  EXPECT_EQ(outbox.pushed_bytes(), 11u);
}

TEST(Outbox, WhatIsDeferredWaitsForItsReply) {
  Outbox outbox;
  EXPECT_EQ(outbox.take_deferred(), nullptr);
  outbox.defer(output("stale a;"), Lsn{7});
  outbox.defer(output("stale b;"), Lsn{3});
  EXPECT_TRUE(outbox.bytes().empty());
  EXPECT_GE(outbox.pushed_bytes(), 16u);  // it is bounded like all pushes
  EXPECT_GE(outbox.waiting(), 16u);
  const auto deferred = outbox.take_deferred();
  ASSERT_NE(deferred, nullptr);
  EXPECT_EQ(text(deferred->bytes), "stale a;stale b;");
  EXPECT_EQ(deferred->gate, Lsn{7});  // the later of the two
  EXPECT_EQ(outbox.pushed_bytes(), 0u);
  EXPECT_EQ(outbox.take_deferred(), nullptr);
}

TEST(Outbox, WhatIsHeldBackIsNotSendable) {
  Outbox outbox;
  outbox.bytes().append("free;");
  const auto from = outbox.bytes().mark();
  outbox.bytes().append("held;");
  outbox.hold_back({from, Lsn{4}, 0, 1});
  EXPECT_EQ(outbox.gate().sendable_bytes(outbox.bytes()), 5u);
  outbox.gate().durable_up_to(Lsn{4});
  EXPECT_EQ(outbox.gate().sendable_bytes(outbox.bytes()), 10u);
}

TEST(Outbox, WhatHasLeftIsNoBacklogAnyMore) {
  Outbox outbox;
  outbox.push(output("0123456789"));
  outbox.bytes().consume(10);
  outbox.sent();
  EXPECT_EQ(outbox.pushed_bytes(), 0u);
}

TEST(Outbox, HardLimitsCountAllBytesOrThePushedOnes) {
  Outbox outbox;
  const std::string long_reply(100'000, 'x');
  outbox.bytes().append(long_reply);
  OutputLimit none, small, large;
  small.hard = 1'000;
  large.hard = 10'000'000;
  EXPECT_FALSE(outbox.over_hard_limit(none));
  EXPECT_TRUE(outbox.over_hard_limit(small));
  EXPECT_FALSE(outbox.over_hard_limit(large));
  EXPECT_FALSE(outbox.over_push_limit(small));  // the client asked for it
  outbox.push(output(std::string(1'001, 'y')));
  EXPECT_TRUE(outbox.over_push_limit(small));
}

TEST(Outbox, ASoftLimitBindsAfterItsTime) {
  Outbox outbox;
  OutputLimit own, pushes;
  own.soft = 1'000;
  own.soft_seconds = 10;
  EXPECT_FALSE(outbox.over_soft_limit(own, pushes, 50'000));
  outbox.bytes().append(std::string(100'000, 'x'));
  EXPECT_FALSE(outbox.over_soft_limit(own, pushes, 100'000));  // since now
  EXPECT_FALSE(outbox.over_soft_limit(own, pushes, 110'000));
  EXPECT_TRUE(outbox.over_soft_limit(own, pushes, 110'001));
  // Once below it, the time begins anew.
  own.soft = 10'000'000;
  EXPECT_FALSE(outbox.over_soft_limit(own, pushes, 110'002));
  own.soft = 1'000;
  EXPECT_FALSE(outbox.over_soft_limit(own, pushes, 200'000));
}

TEST(Outbox, PushesHaveASoftLimitOfTheirOwn) {
  Outbox outbox;
  OutputLimit own, pushes;
  pushes.soft = 10;
  pushes.soft_seconds = 1;
  outbox.push(output("12345678901"));
  EXPECT_FALSE(outbox.over_soft_limit(own, pushes, 1'000));
  EXPECT_TRUE(outbox.over_soft_limit(own, pushes, 2'001));
}

}  // namespace
}  // namespace slotcar::session
