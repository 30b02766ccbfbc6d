#include "types/hyperloglog.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "types/cell.h"

namespace slotcar::types {
namespace {

using Outcome = Hyperloglog::Outcome;

struct Counter {
  explicit Counter(std::int64_t sparse_max = 3000) {
    settings.hll_sparse_max_bytes = sparse_max;
    hll.create();
  }
  std::vector<std::uint8_t> registers() const {
    HllRegisters all;
    EXPECT_TRUE(hll.view().merge_into(all));
    return {all.values, all.values + kHllRegisters};
  }

  Settings settings;
  OwnCell cell;
  Hyperloglog hll{cell, settings};
};

TEST(Hyperloglog, BeginsSparseAndEmpty) {
  Counter counter;
  EXPECT_EQ(counter.cell.packed(), std::string_view("HYLL\1\0\0\0\0\0\0\0\0\0\0\0\x7f\xff", 18));
  EXPECT_EQ(counter.hll.view().count(), 0u);
}

// The bytes of redis-server 7.0 after PFADD k foo bar.
TEST(Hyperloglog, WritesTheBytesOfRedis) {
  Counter counter;
  EXPECT_EQ(counter.hll.add("foo"), Outcome::changed);
  EXPECT_EQ(counter.hll.add("bar"), Outcome::changed);
  EXPECT_EQ(counter.hll.add("foo"), Outcome::unchanged);
  counter.hll.forget_count();
  EXPECT_EQ(counter.cell.packed(),
            std::string_view("HYLL\1\0\0\0\0\0\0\0\0\0\0\x80\x5c\xb3\x90\x4a\x61\x80\x58\xe7", 24));
}

TEST(Hyperloglog, KeepsACount) {
  Counter counter;
  counter.hll.add("x");
  counter.hll.forget_count();
  EXPECT_EQ(counter.hll.view().cached_count(), std::nullopt);
  counter.hll.remember_count(123456789012345);
  EXPECT_EQ(counter.hll.view().cached_count(), 123456789012345u);
  counter.hll.forget_count();
  EXPECT_EQ(counter.hll.view().cached_count(), std::nullopt);
}

TEST(Hyperloglog, EstimatesWithinItsError) {
  Counter counter;
  std::uint64_t checkpoint = 100;
  for (std::uint64_t i = 1; i <= 1'000'000; ++i) {
    counter.hll.add("user:" + std::to_string(i));
    if (i != checkpoint) continue;
    checkpoint *= 10;
    const auto count = static_cast<double>(counter.hll.view().count().value());
    EXPECT_NEAR(count, static_cast<double>(i), static_cast<double>(i) * 0.0325 + 1) << i;
  }
  EXPECT_TRUE(counter.hll.view().is_dense());
}

// A sparse one with little room, one with much, and a plain array must agree after any writes.
RC_GTEST_PROP(Hyperloglog, RegistersAreThoseOfTheModel, ()) {
  Counter small(*rc::gen::inRange(20, 400));
  Counter large(1'000'000);
  std::vector<std::uint8_t> model(kHllRegisters);
  // Few neighbouring registers and few values: runs are split and joined all the time.
  const auto width = *rc::gen::inRange<std::size_t>(1, 200);
  const auto start = *rc::gen::inRange<std::size_t>(0, kHllRegisters - width + 1);
  const int writes = *rc::gen::inRange(1, 300);
  for (int i = 0; i < writes; ++i) {
    const std::size_t index = start + *rc::gen::inRange<std::size_t>(0, width);
    const auto value = static_cast<std::uint8_t>(
        *rc::gen::weightedOneOf<int>({{20, rc::gen::inRange(1, 4)}, {1, rc::gen::inRange(1, 51)}}));
    const Outcome expected = model[index] < value ? Outcome::changed : Outcome::unchanged;
    model[index] = std::max(model[index], value);
    RC_ASSERT(small.hll.raise(index, value) == expected);
    RC_ASSERT(large.hll.raise(index, value) == expected);
  }
  RC_ASSERT(small.registers() == model);
  RC_ASSERT(large.registers() == model);
  RC_ASSERT(small.hll.view().count() == large.hll.view().count());
  RC_ASSERT(HyperloglogView::fits(small.cell.packed()));
  RC_ASSERT(large.hll.become_dense());
  RC_ASSERT(large.registers() == model);
}

TEST(Hyperloglog, BecomesDenseBeyondItsLimits) {
  Counter counter;
  EXPECT_EQ(counter.hll.raise(5, 32), Outcome::changed);
  EXPECT_FALSE(counter.hll.view().is_dense());
  EXPECT_EQ(counter.hll.raise(6, 33), Outcome::changed);
  EXPECT_TRUE(counter.hll.view().is_dense());
  EXPECT_EQ(counter.cell.size(), kHllDenseBytes);
  EXPECT_EQ(counter.registers()[5], 32);
  EXPECT_EQ(counter.registers()[6], 33);
}

TEST(Hyperloglog, RefusesWhatDoesNotAddUp) {
  const auto bytes = [](std::string_view runs) {
    return std::string("HYLL\1\0\0\0\0\0\0\0\0\0\0\x80", 16) + std::string(runs);
  };
  for (const std::string& corrupt :
       {bytes(""), bytes("\x7f"), bytes("\x7f\xfe"), bytes("\x7f\xff\x01"), bytes("\x40\x10"),
        bytes(std::string(20000, '\xff'))}) {
    EXPECT_TRUE(HyperloglogView::fits(corrupt));
    const HyperloglogView view(corrupt);
    HllRegisters registers;
    EXPECT_EQ(view.count(), std::nullopt);
    EXPECT_FALSE(view.merge_into(registers));
    EXPECT_EQ(view.runs_as_text(), std::nullopt);
    Settings settings;
    OwnCell cell = OwnCell::pin({corrupt, nullptr});
    EXPECT_FALSE(Hyperloglog(cell, settings).become_dense());
  }
  EXPECT_FALSE(HyperloglogView::fits(""));
  EXPECT_FALSE(HyperloglogView::fits("HYLL"));
  EXPECT_FALSE(HyperloglogView::fits(std::string("HYLL\0\0\0\0\0\0\0\0\0\0\0\0", 16)));
  EXPECT_FALSE(HyperloglogView::fits(std::string("HYLL\2\0\0\0\0\0\0\0\0\0\0\0", 16)));
  EXPECT_FALSE(HyperloglogView::fits(std::string("HULL\1\0\0\0\0\0\0\0\0\0\0\0\x7f\xff", 18)));
}

}  // namespace
}  // namespace slotcar::types
