#include "types/packed/intset.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace slotcar::types {
namespace {

std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

TEST(Intset, LiesAsRedisLaysItOut) {
  OwnCell cell;
  Intset set(cell);
  EXPECT_EQ(cell.packed(), bytes({2, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(set.add(5));
  EXPECT_TRUE(set.add(-1));
  EXPECT_FALSE(set.add(5));
  EXPECT_EQ(cell.packed(), bytes({2, 0, 0, 0, 2, 0, 0, 0, 0xff, 0xff, 5, 0}));
  // A number that needs more room widens all of them, before the others or behind them.
  EXPECT_TRUE(set.add(-40000));
  EXPECT_EQ(cell.packed(), bytes({4,    0,    0,    0,    3,    0,    0, 0, 0xc0, 0x63,
                                  0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 5, 0, 0,    0}));
  EXPECT_TRUE(set.add(INT64_MAX));
  EXPECT_EQ(set.width(), 8u);
  EXPECT_EQ(set.least(), -40000);
  EXPECT_EQ(set.greatest(), INT64_MAX);
  // It never becomes narrower again.
  EXPECT_TRUE(set.remove(INT64_MAX));
  EXPECT_FALSE(set.remove(INT64_MAX));
  EXPECT_EQ(set.width(), 8u);
  EXPECT_EQ(cell.size(), 8u + 3 * 8);
}

TEST(Intset, KnowsWhatIsNone) {
  const std::string good = bytes({2, 0, 0, 0, 2, 0, 0, 0, 0xff, 0xff, 5, 0});
  EXPECT_TRUE(IntsetView::is_valid(good));
  EXPECT_FALSE(IntsetView::is_valid(""));
  EXPECT_FALSE(IntsetView::is_valid(good.substr(0, 7)));
  EXPECT_FALSE(IntsetView::is_valid(good.substr(0, 11)));
  EXPECT_FALSE(IntsetView::is_valid(good + '\0'));
  EXPECT_FALSE(IntsetView::is_valid(bytes({2, 0, 0, 0, 0, 0, 0, 0})));              // empty
  EXPECT_FALSE(IntsetView::is_valid(bytes({3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0})));     // width
  EXPECT_FALSE(IntsetView::is_valid(bytes({2, 0, 0, 0, 2, 0, 0, 0, 5, 0, 5, 0})));  // twice
  EXPECT_FALSE(IntsetView::is_valid(bytes({2, 0, 0, 0, 2, 0, 0, 0, 6, 0, 5, 0})));  // order
  EXPECT_FALSE(IntsetView::is_valid(bytes({2, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 5, 0})));
}

// Numbers near the limits of the widths, and a few that repeat often.
rc::Gen<std::int64_t> numbers() {
  return rc::gen::oneOf(
      rc::gen::inRange<std::int64_t>(-20, 20), rc::gen::inRange<std::int64_t>(-40000, 40000),
      rc::gen::arbitrary<std::int64_t>(),
      rc::gen::element<std::int64_t>(INT64_MIN, INT64_MAX, INT32_MIN, INT32_MAX,
                                     std::int64_t{INT32_MAX} + 1, std::int64_t{INT32_MIN} - 1,
                                     INT16_MIN, INT16_MAX, INT16_MAX + 1, INT16_MIN - 1, 0));
}

RC_GTEST_PROP(Intset, DoesWhatASetOfNumbersDoes, ()) {
  OwnCell cell;
  Intset set(cell);
  std::set<std::int64_t> model;
  const auto steps = *rc::gen::container<std::vector<std::pair<bool, std::int64_t>>>(
      rc::gen::pair(rc::gen::weightedElement<bool>({{3, true}, {1, false}}), numbers()));
  for (const auto& [adds, number] : steps) {
    if (adds) {
      RC_ASSERT(set.add(number) == model.insert(number).second);
    } else {
      RC_ASSERT(set.remove(number) == (model.erase(number) == 1));
    }
    RC_ASSERT(set.size() == model.size());
    RC_ASSERT(model.empty() || IntsetView::is_valid(cell.packed()));
    const auto probe = *numbers();
    RC_ASSERT(set.contains(probe) == model.contains(probe));
  }
  std::size_t index = 0;
  for (const std::int64_t number : model) RC_ASSERT(set.at(index++) == number);
}

}  // namespace
}  // namespace slotcar::types
