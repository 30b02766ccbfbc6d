#include "runtime/output.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace slotcar::runtime {
namespace {

using base::SharedBytes;

std::string contents(const Output& output) {
  std::string all;
  std::vector<iovec> vectors(100'000);
  const std::size_t count = output.vectors(vectors.data(), vectors.size(), SIZE_MAX);
  for (std::size_t i = 0; i < count; ++i) {
    all.append(static_cast<const char*>(vectors[i].iov_base), vectors[i].iov_len);
  }
  return all;
}

std::string pattern(std::size_t size, char first = 'a') {
  std::string text;
  while (text.size() < size) {
    for (int i = 0; i < 23 && text.size() < 2300; ++i) text += static_cast<char>(first + i);
    if (text.size() >= 2300) text += text;
  }
  text.resize(size);
  return text;
}

TEST(Output, SmallRepliesShareOneBlock) {
  Output output;
  output.append("+OK\r\n");
  char* place = output.reserve(4);
  std::memcpy(place, ":1\r\n", 4);
  output.commit(4);
  iovec vectors[4];
  EXPECT_EQ(output.vectors(vectors, 4, SIZE_MAX), 1u);
  EXPECT_EQ(contents(output), "+OK\r\n:1\r\n");
  EXPECT_EQ(output.size(), 9u);
}

TEST(Output, EmptyAppendsDoNothing) {
  Output output;
  output.append("");
  output.append(std::string_view());
  output.append(SharedBytes(), 0, 0);
  EXPECT_TRUE(output.empty());
  EXPECT_EQ(output.footprint(), 0u);
}

TEST(Output, KeepsOneSmallBlockForTheNextReply) {
  Output output;
  output.append("first");
  const char* block = output.reserve(1) - 5;
  output.consume(5);
  EXPECT_TRUE(output.empty());
  EXPECT_EQ(output.reserve(10), block);
  EXPECT_GT(output.footprint(), 0u);
  output.release_idle();
  EXPECT_EQ(output.footprint(), 0u);
}

TEST(Output, GivesBigBlocksBackWhenDrained) {
  Output output;
  output.append(pattern(1'000'000));
  EXPECT_GE(output.footprint(), 1'000'000u);
  output.consume(output.size());
  EXPECT_LE(output.footprint(), Output::kKeptBlockBytes + 1024);
}

TEST(Output, ReserveLargerThanAnyBlock) {
  Output output;
  output.append("head");
  const std::string big = pattern(300'000);
  std::memcpy(output.reserve(big.size()), big.data(), big.size());
  output.commit(big.size());
  EXPECT_EQ(contents(output), "head" + big);
}

TEST(Output, ReferencesAreNotCopied) {
  Output output;
  const SharedBytes value = SharedBytes::copy_of(pattern(10'000), nullptr);
  output.append("$10000\r\n");
  output.append(value, 0, value.size());
  output.append("\r\n");
  iovec vectors[4];
  ASSERT_EQ(output.vectors(vectors, 4, SIZE_MAX), 3u);
  EXPECT_EQ(vectors[1].iov_base, value.data());
  EXPECT_FALSE(value.sole_owner());
  output.consume(output.size());
  EXPECT_TRUE(value.sole_owner());
}

TEST(Output, ManyReferencesBetweenBlocks) {
  Output output;
  std::string expected;
  for (int i = 0; i < 1000; ++i) {
    const std::string text = pattern(300 + static_cast<std::size_t>(i), 'b');
    const std::string header = "$" + std::to_string(text.size()) + "\r\n";
    output.append(header);
    output.append(SharedBytes::copy_of(text, nullptr), 0, text.size());
    output.append("\r\n");
    expected += header + text + "\r\n";
  }
  EXPECT_EQ(contents(output), expected);
  std::string sent;
  while (!output.empty()) {
    iovec vectors[7];
    const std::size_t count = output.vectors(vectors, 7, 1777);
    std::size_t part = 0;
    for (std::size_t i = 0; i < count; ++i) {
      sent.append(static_cast<const char*>(vectors[i].iov_base), vectors[i].iov_len);
      part += vectors[i].iov_len;
    }
    ASSERT_LE(part, 1777u);
    output.consume(part);
  }
  EXPECT_EQ(sent, expected);
}

TEST(Output, FootprintCountsReferencesInFull) {
  Output output;
  const SharedBytes value = SharedBytes::copy_of(pattern(100'000), nullptr);
  output.append(value, 10, 1000);
  EXPECT_GE(output.footprint(), 100'000u);
  output.consume(1000);
  EXPECT_LT(output.footprint(), 10'000u);
}

TEST(Output, TruncateTakesBackExactly) {
  Output output;
  output.append("before");
  const Output::Mark mark = output.mark();
  output.append(pattern(5000));
  output.append(SharedBytes::copy_of(pattern(5000), nullptr), 7, 4000);
  output.append("after");
  output.truncate(mark);
  EXPECT_EQ(contents(output), "before");
  output.append("!");
  EXPECT_EQ(contents(output), "before!");
}

TEST(Output, MarksSurviveSending) {
  Output output;
  output.append("sent-kept-");
  const Output::Mark mark = output.mark();
  output.append("dropped");
  output.consume(5);
  output.truncate(mark);
  EXPECT_EQ(contents(output), "kept-");
}

TEST(Output, SpliceLeavesTheOtherUsable) {
  Output a, b;
  a.append("a");
  b.append("b");
  a.splice(std::move(b));
  EXPECT_EQ(contents(a), "ab");
  EXPECT_TRUE(b.empty());  // NOLINT: documented to stay usable
  b.append(pattern(5000));
  a.splice(std::move(b));
  b.append("again");
  EXPECT_EQ(contents(a), "ab" + pattern(5000));
  EXPECT_EQ(contents(b), "again");
}

TEST(Output, MovedFrontStaysUntouchedWhileWritingGoesOn) {
  Output output, flight;
  output.append("first");
  EXPECT_EQ(output.move_front(flight, 3), 3u);
  EXPECT_EQ(contents(output), "st");
  EXPECT_EQ(output.move_front(flight, SIZE_MAX), 2u);
  EXPECT_TRUE(output.empty());
  output.append("second");
  EXPECT_EQ(contents(flight), "first");
  flight.consume(5);
  output.consume(6);
  output.append("third");
  EXPECT_EQ(contents(output), "third");
}

// Any sequence of operations does to an Output what it does to a string.
RC_GTEST_PROP(Output, BehavesLikeAString, ()) {
  Output output, flight;
  std::string model, flight_model;
  std::size_t sent = 0;
  std::vector<std::pair<Output::Mark, std::size_t>> marks;  // with the absolute position
  const int steps = *rc::gen::inRange(1, 60);
  for (int i = 0; i < steps; ++i) {
    const auto size = static_cast<std::size_t>(*rc::gen::oneOf(
        rc::gen::inRange(0, 40), rc::gen::inRange(0, 3000), rc::gen::inRange(0, 100'000)));
    const std::string text = pattern(size, static_cast<char>('a' + i % 3));
    switch (*rc::gen::inRange(0, 9)) {
      case 0:
        output.append(text);
        model += text;
        break;
      case 1:
        std::memcpy(output.reserve(size + 1), text.c_str(), size + 1);
        output.commit(size);
        model += text;
        break;
      case 2: {
        const std::size_t offset = size / 3;
        output.append(SharedBytes::copy_of(text, nullptr), offset, size - offset);
        model += text.substr(offset);
        break;
      }
      case 3: {
        const std::size_t part = std::min(size, model.size());
        output.consume(part);
        model.erase(0, part);
        sent += part;
        break;
      }
      case 4:
        marks.emplace_back(output.mark(), sent + model.size());
        break;
      case 5:
        if (marks.empty() || marks.back().second < sent) break;
        output.truncate(marks.back().first);
        model.resize(std::min(model.size(), marks.back().second - sent));
        marks.pop_back();
        break;
      case 6: {
        Output other;
        other.append(text);
        if (size % 2 == 0) other.append(SharedBytes::copy_of(text, nullptr), 0, size);
        output.splice(std::move(other));
        model += size % 2 == 0 ? text + text : text;
        break;
      }
      case 7: {
        const std::size_t part = output.move_front(flight, size);
        flight_model += model.substr(0, part);
        RC_ASSERT(part == std::min(size, model.size()));
        model.erase(0, part);
        sent += part;
        break;
      }
      default: {
        Output moved(std::move(output));
        output = std::move(moved);
        break;
      }
    }
    RC_ASSERT(output.size() == model.size());
    RC_ASSERT(output.empty() == model.empty());
  }
  RC_ASSERT(contents(output) == model);
  RC_ASSERT(contents(flight) == flight_model);
}

// --- guarded -----------------------------------------------------------------------------------

constexpr std::size_t kBound = 1 << 20;

TEST(GuardedOutput, HoldsNoMoreThanItsBound) {
  std::atomic<std::int64_t> sum{0};
  OutputGuard guard;
  guard.count_in(&sum);
  guard.begin(kBound, true);
  Output output;
  output.set_guard(&guard);
  std::size_t most = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    output.append("0123456789abcdef");
    most = std::max(most, output.footprint());
  }
  EXPECT_TRUE(guard.overflowed());
  EXPECT_TRUE(output.abandoned());
  EXPECT_LT(most, kBound + 4 * Output::kLargestBlockBytes);
  EXPECT_LT(output.footprint(), 2 * Output::kLargestBlockBytes);
  EXPECT_GT(sum.load(), 0);
  guard.end();
  EXPECT_EQ(sum.load(), 0);
}

TEST(GuardedOutput, BelowTheBoundAllIsThere) {
  OutputGuard guard;
  guard.begin(kBound, true);
  Output output;
  output.set_guard(&guard);
  std::string model;
  for (int i = 0; i < 20'000; ++i) {
    output.append("0123456789abcdef");
    model += "0123456789abcdef";
  }
  EXPECT_FALSE(output.abandoned());
  EXPECT_EQ(contents(output), model);
  EXPECT_GE(guard.bytes(), model.size() - 2 * Output::kLargestBlockBytes);
}

TEST(GuardedOutput, CountsReferencesInFull) {
  OutputGuard guard;
  guard.begin(kBound, true);
  Output output;
  output.set_guard(&guard);
  const SharedBytes bytes = SharedBytes::copy_of(pattern(100'000), nullptr);
  for (int i = 0; i < 5; ++i) output.append(bytes, 0, bytes.size());
  EXPECT_FALSE(output.abandoned());
  for (int i = 0; i < 10; ++i) output.append(bytes, 0, bytes.size());
  EXPECT_TRUE(output.abandoned());
  EXPECT_LT(output.footprint(), kBound);
}

TEST(GuardedOutput, PartsCountOnceAndTogether) {
  OutputGuard guard;
  guard.begin(kBound, true);
  Output whole;
  whole.set_guard(&guard);
  for (int i = 0; i < 4; ++i) {
    Output part;
    part.set_guard(&guard);
    part.append(pattern(kBound / 5));
    whole.splice(std::move(part));
  }
  EXPECT_FALSE(whole.abandoned());
  Output last;
  last.set_guard(&guard);
  last.append(pattern(kBound));
  EXPECT_TRUE(whole.abandoned());
}

TEST(GuardedOutput, OnceStoppedDropsWhatComes) {
  OutputGuard guard;
  Output output;
  output.set_guard(&guard);
  output.append(pattern(200'000));
  const auto mark = output.mark();
  guard.stop();
  for (int i = 0; i < 100; ++i) output.append(pattern(10'000));
  char* place = output.reserve(100'000);
  std::memset(place, 'x', 100'000);
  output.commit(100'000);
  EXPECT_LT(output.size(), 200'000u);
  output.truncate(mark);  // no effect
  EXPECT_TRUE(guard.is_cut());
}

// What was popped for a client that is being killed still reaches it.
TEST(GuardedOutput, AStoppedReplyThatMustBeFinishedIsWhole) {
  OutputGuard guard;
  guard.begin(kBound, false);
  Output output;
  output.set_guard(&guard);
  guard.stop();
  output.append(pattern(kBound / 2));
  EXPECT_FALSE(output.abandoned());
  EXPECT_FALSE(guard.is_cut());
  EXPECT_EQ(output.size(), kBound / 2);
}

}  // namespace
}  // namespace slotcar::runtime
