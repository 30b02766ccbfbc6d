// The table of shard/work_place.h, row by row.
#include "shard/work_place.h"

#include <gtest/gtest.h>

#include "shard/work_size.h"

namespace slotcar::shard {
namespace {

using schema::WhenLarge;

constexpr std::size_t kLarge = limits::kQuickElementsMax + 1;

struct Row {
  WhenLarge when_large;
  WorkMoment moment;
  WorkPlace on_worker;
  WorkPlace on_slow_thread;
};

constexpr Row kRows[] = {
    {WhenLarge::pin_and_answer, WorkMoment::before_tokens, WorkPlace::slow_thread, WorkPlace::here},
    {WhenLarge::pin_and_answer, WorkMoment::under_tokens, WorkPlace::pinned, WorkPlace::pinned},
    {WhenLarge::pin_and_answer, WorkMoment::in_transaction, WorkPlace::moved, WorkPlace::here},
    {WhenLarge::pin_and_answer, WorkMoment::tied, WorkPlace::here, WorkPlace::here},
    {WhenLarge::store, WorkMoment::before_tokens, WorkPlace::slow_thread, WorkPlace::here},
    {WhenLarge::store, WorkMoment::under_tokens, WorkPlace::pinned, WorkPlace::pinned},
    {WhenLarge::store, WorkMoment::in_transaction, WorkPlace::moved, WorkPlace::here},
    {WhenLarge::store, WorkMoment::tied, WorkPlace::here, WorkPlace::here},
    {WhenLarge::hold, WorkMoment::before_tokens, WorkPlace::slow_thread, WorkPlace::here},
    {WhenLarge::hold, WorkMoment::under_tokens, WorkPlace::held_there, WorkPlace::here},
    {WhenLarge::hold, WorkMoment::in_transaction, WorkPlace::moved, WorkPlace::here},
    {WhenLarge::hold, WorkMoment::tied, WorkPlace::here, WorkPlace::here},
    {WhenLarge::parts, WorkMoment::before_tokens, WorkPlace::slow_thread, WorkPlace::here},
    {WhenLarge::parts, WorkMoment::under_tokens, WorkPlace::held_there, WorkPlace::here},
    {WhenLarge::parts, WorkMoment::in_transaction, WorkPlace::moved, WorkPlace::here},
    {WhenLarge::parts, WorkMoment::tied, WorkPlace::here, WorkPlace::here},
};

TEST(WorkPlace, Table) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(static_cast<int>(row.when_large) * 10 + static_cast<int>(row.moment));
    EXPECT_EQ(decide_work_place(row.when_large, kLarge, row.moment, false), row.on_worker);
    EXPECT_EQ(decide_work_place(row.when_large, kLarge, row.moment, true), row.on_slow_thread);
  }
}

TEST(WorkPlace, WhatIsNotLargeWorksWhereItIs) {
  for (const Row& row : kRows) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, limits::kQuickElementsMax}) {
      for (const bool slow : {false, true}) {
        EXPECT_EQ(decide_work_place(row.when_large, size, row.moment, slow), WorkPlace::here);
      }
    }
  }
}

TEST(WorkPlace, LongElementsCountAsSeveral) {
  EXPECT_EQ(work_size(7, 0), 7u);
  EXPECT_EQ(work_size(7, 700), 7u);
  EXPECT_FALSE(is_large_size(work_size(1, kQuickBytesMax)));
  EXPECT_TRUE(is_large_size(work_size(1, kQuickBytesMax + 1024)));
  EXPECT_TRUE(is_large_size(work_size(kLarge, 0)));
}

TEST(WorkPlace, WhatIsDeclaredQuickNeverMoves) {
  for (const Row& row : kRows) {
    for (const bool slow : {false, true}) {
      EXPECT_EQ(decide_work_place(WhenLarge::quick, SIZE_MAX, row.moment, slow), WorkPlace::here);
    }
  }
}

}  // namespace
}  // namespace slotcar::shard
