#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace slotcar {
namespace {

// Counts how many of them are alive.
struct Counted {
  explicit Counted(int* c) : count(c) { ++*count; }
  Counted(const Counted& other) : count(other.count) { ++*count; }
  Counted(Counted&& other) noexcept : count(other.count) { ++*count; }
  ~Counted() { --*count; }
  int* count;
};

TEST(Result, IsCopiedMovedAndAssignedAsWhatItHolds) {
  const Result<std::string> good = std::string(100, 'g');
  const Result<std::string> bad = Error{std::string(100, 'b')};
  Result<std::string> one = good;
  EXPECT_EQ(*one, std::string(100, 'g'));
  one = bad;
  ASSERT_FALSE(one.ok());
  EXPECT_EQ(one.error().message, std::string(100, 'b'));
  Result<std::string> other = std::move(one);
  EXPECT_EQ(other.error().message, std::string(100, 'b'));
  other = good;
  EXPECT_EQ(other.value_or("none"), std::string(100, 'g'));
  other = *&other;  // to itself
  EXPECT_EQ(*other, std::string(100, 'g'));
  EXPECT_EQ(std::move(other).value(), std::string(100, 'g'));
}

TEST(Result, DestroysWhatItHoldsOnce) {
  int alive = 0;
  {
    Result<Counted> first = Counted(&alive);
    EXPECT_EQ(alive, 1);
    Result<Counted> second = first;
    EXPECT_EQ(alive, 2);
    second = Error{"a reason that is too long to be inside of a string"};
    EXPECT_EQ(alive, 1);
    first = std::move(second);
    EXPECT_EQ(alive, 0);
    first = Counted(&alive);
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(alive, 0);
}

TEST(Result, OfWhatCannotBeCopiedCanBeMoved) {
  using Pointer = Result<std::unique_ptr<int>>;
  static_assert(!std::is_copy_constructible_v<Pointer>);
  static_assert(std::is_nothrow_move_constructible_v<Pointer>);
  Pointer held = std::make_unique<int>(7);
  Pointer taken = std::move(held);
  EXPECT_EQ(**taken, 7);
}

// Before C++23 a `for` keeps only what its range is, not the temporaries by which it was reached.
TEST(Result, OfATemporaryCanBeWalkedOver) {
  using Texts = std::vector<std::string>;
  const auto make = [] { return Result<Texts>(Texts{std::string(100, 'x')}); };
  for (const std::string& text : *make()) EXPECT_EQ(text, std::string(100, 'x'));
  for (const std::string& text : make().value()) EXPECT_EQ(text, std::string(100, 'x'));
  static_assert(std::is_same_v<decltype(*make()), Texts>);
}

TEST(ResultDeathTest, SaysWhyThereIsNoValue) {
  const Result<int> bad = Error{"the reason"};
  const Result<int> good = 1;
  EXPECT_DEATH((void)bad.value(), "value\\(\\) of a failed result: the reason");
  EXPECT_DEATH((void)good.error(), "error\\(\\) of a result that has none");
}

}  // namespace
}  // namespace slotcar
