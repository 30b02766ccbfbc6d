#include "session/worker/log_waiters.h"

#include <gtest/gtest.h>

#include <string>

#include "session/testing/posted_tasks.h"

namespace slotcar::session {
namespace {

using storage::LogMark;

class LogWaitersTest : public ::testing::Test {
 protected:
  void advance(std::uint64_t durable, std::uint64_t safe) {
    durable_ = Lsn{durable};
    safe_ = Lsn{safe};
    waiters_.log_advanced();
  }
  std::string notified() { return std::exchange(notified_, {}); }

  testing::PostedTasks loop_;
  Lsn durable_{0};
  Lsn safe_{0};
  std::string notified_;
  LogWaiters waiters_{
      loop_, [this](LogMark mark) { return mark == LogMark::durable ? durable_ : safe_; },
      [this](ClientId id, LogMark mark) {
        notified_ += std::to_string(id.value) + (mark == LogMark::durable ? "d " : "s ");
        if (on_notified_) on_notified_();
      }};
  std::function<void()> on_notified_;
};

TEST_F(LogWaitersTest, NotifiesWhenThePositionIsReached) {
  waiters_.add(ClientId{1}, LogMark::safe, Lsn{10});
  waiters_.add(ClientId{2}, LogMark::safe, Lsn{8});
  waiters_.add(ClientId{3}, LogMark::durable, Lsn{8});
  advance(7, 7);
  EXPECT_EQ(loop_.count(), 0u);  // it brings nothing, so the worker is not woken
  advance(7, 9);
  EXPECT_EQ(loop_.count(), 1u);
  advance(7, 9);
  EXPECT_EQ(loop_.count(), 1u);  // it is on its way
  loop_.run();
  EXPECT_EQ(notified(), "2s ");
  advance(8, 9);
  loop_.run();
  EXPECT_EQ(notified(), "3d ");
  advance(10, 10);
  loop_.run();
  EXPECT_EQ(notified(), "1s ");
  advance(20, 20);
  EXPECT_EQ(loop_.count(), 0u);  // each is notified once
}

TEST_F(LogWaitersTest, APositionThatIsReachedExactlyCounts) {
  waiters_.add(ClientId{1}, LogMark::durable, Lsn{5});
  advance(4, 0);
  EXPECT_EQ(loop_.count(), 0u);
  advance(5, 0);
  loop_.run();
  EXPECT_EQ(notified(), "1d ");
}

TEST_F(LogWaitersTest, WhatIsReachedWhileItNotifiesIsSeen) {
  waiters_.add(ClientId{1}, LogMark::durable, Lsn{5});
  waiters_.add(ClientId{2}, LogMark::durable, Lsn{6});
  advance(5, 5);
  // The log advances between the emptying of the list and the second waiter's return to it: the
  // log finds an empty list, so the waiters must look again.
  on_notified_ = [this] { advance(6, 6); };
  loop_.run();
  EXPECT_EQ(notified(), "1d ");
  on_notified_ = nullptr;
  ASSERT_EQ(loop_.count(), 1u);
  loop_.run();
  EXPECT_EQ(notified(), "2d ");
}

TEST_F(LogWaitersTest, WithoutALogNothingWaits) {
  waiters_.add(ClientId{1}, LogMark::durable, Lsn{5});
  waiters_.add(ClientId{2}, LogMark::safe, Lsn{6});
  advance(UINT64_MAX, UINT64_MAX);
  loop_.run();
  EXPECT_EQ(notified(), "1d 2s ");
  EXPECT_EQ(loop_.count(), 0u);
}

}  // namespace
}  // namespace slotcar::session
