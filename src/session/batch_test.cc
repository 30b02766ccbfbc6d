// A batch step by step: what runs together, what alone, and what the log, a pause and the end of
// the connection do to it.
#include "session/batch.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>

namespace slotcar::session {
namespace {

using Place = Batch::Place;
using What = Batch::Step::What;

struct Facts {
  std::size_t size;
  std::size_t admitted = SIZE_MAX;  // calls before this one are admitted by the log
  bool fails = false;
  bool is_paused = false;
  bool is_closing = false;
  bool has_other_rights = false;
  const shard::Call* denies = nullptr;

  std::size_t ready(std::size_t from) const {
    const std::size_t to = std::min(size, admitted);
    return to > from ? to - from : 0;
  }
  bool log_fails() const { return fails; }
  bool paused(const shard::Call&) const { return is_paused; }
  bool closing() const { return is_closing; }
  bool rights_changed() const { return has_other_rights; }
  bool denied(const shard::Call& call) const { return &call == denies; }
};

std::string text(const Batch::Step& step) {
  switch (step.what) {
    case What::run_together:
      return "together " + std::to_string(step.count);
    case What::run_alone:
      return "alone";
    case What::take_answer:
      return "answer";
    case What::refuse_for_log:
      return "refuse";
    case What::refuse_denied:
      return "denied";
    case What::wait_for_log:
      return "wait for log";
    case What::wait_for_unpause:
      return "wait for unpause";
    case What::end:
      return "end";
  }
  return "?";
}

class BatchSteps : public testing::Test {
 protected:
  // t: together, a: alone, x: answered.
  void take(std::string_view places) {
    batch_.clear();
    for (const char place : places) {
      batch_.add(&calls_[batch_.size()], place == 't'   ? Place::together
                                         : place == 'a' ? Place::alone
                                                        : Place::answered);
    }
    facts_ = {.size = places.size()};
  }
  std::string next() const { return text(batch_.next(facts_)); }

  shard::Call calls_[4];
  Batch batch_;
  Facts facts_{};
};

TEST_F(BatchSteps, OneThatIsEmptyEnds) {
  take("");
  EXPECT_EQ(next(), "end");
}

TEST_F(BatchSteps, RunsTogetherWhatMay) {
  take("ttt");
  EXPECT_EQ(next(), "together 3");
  EXPECT_EQ(batch_.ahead(3).size(), 3u);
  batch_.ran(3, 3, false);
  EXPECT_EQ(next(), "end");
}

TEST_F(BatchSteps, TheLastOneRunsAlone) {
  take("tta");
  EXPECT_EQ(next(), "together 2");
  batch_.ran(2, 2, false);
  EXPECT_EQ(&batch_.current(), &calls_[2]);
  EXPECT_EQ(next(), "alone");
  batch_.current_answered();
  EXPECT_EQ(next(), "end");
}

TEST_F(BatchSteps, WhatWasAnsweredBeforeKeepsItsPlace) {
  take("tx");
  EXPECT_FALSE(batch_.is_answered(0));
  EXPECT_TRUE(batch_.is_answered(1));
  EXPECT_EQ(next(), "together 1");
  batch_.ran(1, 1, false);
  facts_.is_paused = facts_.is_closing = true;  // it has nothing to wait for
  EXPECT_EQ(next(), "answer");
  batch_.current_answered();
  EXPECT_EQ(next(), "end");
}

TEST_F(BatchSteps, GoesOnBehindACallThatHadToWait) {
  take("tttt");
  batch_.ran(4, 1, true);  // the second one is under way
  EXPECT_EQ(&batch_.current(), &calls_[1]);
  batch_.current_answered();
  EXPECT_EQ(next(), "together 2");
}

TEST_F(BatchSteps, OneThatCannotRunWithOthersRunsAloneInTheMiddle) {
  take("ttt");
  batch_.ran(3, 1, false);
  EXPECT_EQ(next(), "alone");
  batch_.current_answered();
  EXPECT_EQ(next(), "together 1");
}

TEST_F(BatchSteps, AFullLogStopsWritesAndWhatIsBehindThem) {
  take("ttt");
  facts_.admitted = 1;
  EXPECT_EQ(next(), "together 1");
  batch_.ran(1, 1, false);
  EXPECT_EQ(next(), "wait for log");
  facts_.fails = true;
  EXPECT_EQ(next(), "refuse");
  batch_.current_answered();
  facts_.admitted = 3;
  EXPECT_EQ(next(), "together 1");
}

TEST_F(BatchSteps, AClosingConnectionDoesNotWait) {
  take("ta");
  facts_.is_closing = true;
  EXPECT_EQ(next(), "together 1");  // it has been admitted, and runs
  facts_.admitted = 0;
  EXPECT_EQ(next(), "end");
  facts_.admitted = 2;
  batch_.ran(1, 1, false);
  EXPECT_EQ(next(), "end");
}

TEST_F(BatchSteps, APauseKeepsOnlyWhatRunsAlone) {
  take("ta");
  facts_.is_paused = true;
  EXPECT_EQ(next(), "together 1");
  batch_.ran(1, 1, false);
  EXPECT_EQ(next(), "wait for unpause");
  facts_.is_closing = true;
  EXPECT_EQ(next(), "end");
  facts_.is_closing = facts_.is_paused = false;
  EXPECT_EQ(next(), "alone");
}

// The user's rights have changed since the batch was admitted, while it waited for something.
TEST_F(BatchSteps, WithOtherRightsEachCallIsAskedForBeforeItRuns) {
  take("tttt");
  batch_.ran(4, 1, true);  // the second one is under way
  batch_.current_answered();
  facts_.has_other_rights = true;
  facts_.denies = &calls_[3];
  EXPECT_EQ(next(), "together 1");
  batch_.ran(1, 1, false);
  EXPECT_EQ(next(), "denied");
  batch_.current_answered();
  EXPECT_EQ(next(), "end");
}

TEST_F(BatchSteps, WithOtherRightsNothingIsWaitedForInVain) {
  take("ta");
  facts_.has_other_rights = true;
  facts_.denies = &calls_[0];
  facts_.admitted = 0;
  facts_.is_paused = true;
  EXPECT_EQ(next(), "denied");
  batch_.current_answered();
  facts_.admitted = SIZE_MAX;
  facts_.denies = &calls_[1];
  EXPECT_EQ(next(), "denied");
  facts_.is_closing = true;  // the user is gone: nothing of it runs any more
  EXPECT_EQ(next(), "end");
}

TEST_F(BatchSteps, WithOtherRightsARefusalStaysWhatItIs) {
  take("x");
  facts_.has_other_rights = true;
  facts_.denies = &calls_[0];
  EXPECT_EQ(next(), "answer");
}

TEST_F(BatchSteps, IsFullWithOneThatRunsAloneOrWithEnough) {
  take("t");
  EXPECT_FALSE(batch_.full());
  take("ta");
  EXPECT_TRUE(batch_.full());
  take("x");
  EXPECT_TRUE(batch_.full());
  take("");
  for (std::size_t i = 1; i < limits::kBatchCallsMax; ++i) batch_.add(&calls_[0], Place::together);
  EXPECT_FALSE(batch_.full());
  batch_.add(&calls_[0], Place::together);
  EXPECT_TRUE(batch_.full());
}

}  // namespace
}  // namespace slotcar::session
