#include "base/histogram.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace slotcar::base {
namespace {

TEST(Histogram, BucketsCoverEverythingInOrder) {
  for (std::size_t bucket = 0; bucket < Histogram::kBuckets; ++bucket) {
    const std::uint64_t end = Histogram::bucket_end(bucket);
    EXPECT_EQ(Histogram::bucket_of(end), bucket);
    if (bucket + 1 < Histogram::kBuckets) {
      EXPECT_EQ(Histogram::bucket_of(end + 1), bucket + 1);
    }
  }
  EXPECT_EQ(Histogram::bucket_end(Histogram::kBuckets - 1), Histogram::kValueMax);
  EXPECT_EQ(Histogram::bucket_of(UINT64_MAX), Histogram::kBuckets - 1);
}

TEST(Histogram, SaysZeroWhenEmpty) {
  Histogram histogram;
  EXPECT_EQ(histogram.percentile(50), 0);
  EXPECT_EQ(histogram.count(), 0);
  EXPECT_EQ(histogram.max(), 0);
}

TEST(Histogram, SmallValuesAreExact) {
  Histogram histogram;
  for (int i = 1; i <= 20; ++i) histogram.record(i);
  EXPECT_EQ(histogram.percentile(0), 1);
  EXPECT_EQ(histogram.percentile(5), 1);
  EXPECT_EQ(histogram.percentile(50), 10);
  EXPECT_EQ(histogram.percentile(95), 19);
  EXPECT_EQ(histogram.percentile(100), 20);
  EXPECT_EQ(histogram.count(), 20);
  EXPECT_EQ(histogram.sum(), 210);
  EXPECT_EQ(histogram.count_up_to(7), 7);
  EXPECT_EQ(histogram.count_up_to(-1), 0);
}

TEST(Histogram, TakesAnyNumber) {
  Histogram histogram;
  histogram.record(-5);  // a clock that went back
  histogram.record(INT64_MAX / 4);
  EXPECT_EQ(histogram.count_up_to(0), 1);
  EXPECT_EQ(histogram.max(), INT64_MAX / 4);
  EXPECT_EQ(histogram.percentile(100), INT64_MAX / 4);
}

// The thread that records is stopped between filling a bucket and counting, or the other way round:
// a reader may see either. Its members are counters, in this order: buckets, count, sum, largest.
Counter& count_of(Histogram& histogram) {
  static_assert(sizeof(Histogram) == (Histogram::kBuckets + 3) * sizeof(Counter));
  return reinterpret_cast<Counter*>(&histogram)[Histogram::kBuckets];
}

// LATENCY HISTOGRAM goes up until it has seen as many as there are: while another thread records,
// it would else look for ones that are in no bucket yet.
TEST(Histogram, AMergedOneHasAsManyAsItsBuckets) {
  for (const std::int64_t ahead : {1, -1}) {
    auto recorded = std::make_unique<Histogram>();
    for (int i = 0; i < 10; ++i) recorded->record(i);
    ASSERT_EQ(count_of(*recorded).get(), 10);
    count_of(*recorded).add(ahead);
    auto merged = std::make_unique<Histogram>();
    merged->merge(*recorded);
    EXPECT_EQ(merged->count(), 10);
    EXPECT_EQ(merged->count(), merged->count_up_to(INT64_MAX));
  }
}

TEST(Histogram, ResetForgets) {
  Histogram histogram;
  histogram.record(1000);
  histogram.reset();
  EXPECT_EQ(histogram.count() + histogram.sum() + histogram.max() + histogram.percentile(99), 0);
}

RC_GTEST_PROP(Histogram, PercentilesAreALittleHighAtMost, ()) {
  const auto values = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 1LL << 40)));
  auto whole = std::make_unique<Histogram>();
  auto first = std::make_unique<Histogram>();
  auto second = std::make_unique<Histogram>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    whole->record(values[i]);
    (i % 3 ? first : second)->record(values[i]);
  }
  first->merge(*second);
  std::vector<std::int64_t> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  for (double percent : {0.0, 1.0, 25.0, 50.0, 90.0, 99.0, 99.9, 100.0}) {
    auto rank =
        static_cast<std::size_t>(std::ceil(static_cast<double>(sorted.size()) * percent / 100.0));
    const std::int64_t truth = sorted[std::max<std::size_t>(rank, 1) - 1];
    const std::int64_t said = whole->percentile(percent);
    RC_ASSERT(said >= truth);
    RC_ASSERT(said <= truth + truth / 32);
    RC_ASSERT(first->percentile(percent) == said);
  }
  RC_ASSERT(first->max() == sorted.back());
  RC_ASSERT(first->count() == static_cast<std::int64_t>(values.size()));
  RC_ASSERT(first->sum() == whole->sum());
}

}  // namespace
}  // namespace slotcar::base
