#include "session/log_waits.h"

#include <gtest/gtest.h>

namespace slotcar::session {
namespace {

using storage::LogMark;

TEST(LogWaits, AsksAgainOnlyForSomethingEarlier) {
  LogWaits waits;
  EXPECT_TRUE(waits.ask(LogMark::safe, Lsn{10}));
  EXPECT_FALSE(waits.ask(LogMark::safe, Lsn{10}));
  EXPECT_FALSE(waits.ask(LogMark::safe, Lsn{12}));  // it will look again at 10
  EXPECT_TRUE(waits.ask(LogMark::safe, Lsn{9}));
  EXPECT_TRUE(waits.ask(LogMark::durable, Lsn{12}));  // a mark of its own
}

TEST(LogWaits, AsksAnewOnceNotified) {
  LogWaits waits;
  EXPECT_TRUE(waits.ask(LogMark::safe, Lsn{10}));
  EXPECT_TRUE(waits.ask(LogMark::durable, Lsn{10}));
  waits.notified(LogMark::safe);
  EXPECT_TRUE(waits.ask(LogMark::safe, Lsn{12}));
  EXPECT_FALSE(waits.ask(LogMark::durable, Lsn{12}));
}

TEST(LogWaits, ACallsWaitForTheLogEndsWithIt) {
  LogWaits waits;
  EXPECT_FALSE(waits.ends_wait());
  waits.end_wait_at(Lsn{5});
  EXPECT_TRUE(waits.ends_wait());
  EXPECT_EQ(waits.wait_ends_at(), Lsn{5});
  waits.call_ended();
  EXPECT_FALSE(waits.ends_wait());
}

}  // namespace
}  // namespace slotcar::session
