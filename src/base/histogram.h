// Histogram: how long things took, in fixed memory. Log-linear buckets: each power of two is cut
// into 32 equal parts, so what a percentile says is at most 1/32 (3.2 %) above the truth, from one
// nanosecond to some eighteen minutes; longer times count as the longest.
//
// One thread records; any thread may read or merge meanwhile and sees numbers that are a moment
// old. The largest value and the sum are exact.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/counter.h"

namespace slotcar::base {

class Histogram {
 public:
  static constexpr int kPartBits = 5;
  static constexpr int kValueBits = 40;
  static constexpr std::uint64_t kValueMax = (std::uint64_t{1} << kValueBits) - 1;
  static constexpr std::size_t kBuckets = static_cast<std::size_t>(kValueBits - kPartBits + 1)
                                          << kPartBits;

  void record(std::int64_t ns) {
    const std::uint64_t value = ns < 0 ? 0 : static_cast<std::uint64_t>(ns);
    buckets_[bucket_of(value)].add(1);
    count_.add(1);
    sum_.add(static_cast<std::int64_t>(value));
    if (static_cast<std::int64_t>(value) > max_.get()) {
      max_.set(static_cast<std::int64_t>(value));
    }
  }

  std::int64_t count() const { return count_.get(); }
  std::int64_t sum() const { return sum_.get(); }
  std::int64_t max() const { return max_.get(); }
  // The value that `percent` of all recorded ones do not exceed, rounded up to the end of its
  // bucket; 0 when nothing was recorded. percentile(100) is the exact maximum.
  std::int64_t percentile(double percent) const;
  // How many recorded values are at most `ns`, by whole buckets (LATENCY HISTOGRAM counts so).
  std::int64_t count_up_to(std::int64_t ns) const;

  // Adds all of `other`; only the recording thread of this one may call it.
  void merge(const Histogram& other);
  // Takes away an earlier state of this one. The largest value is then the end of its bucket.
  void subtract(const Histogram& earlier);
  void reset();

  static constexpr std::size_t bucket_of(std::uint64_t value) {
    if (value > kValueMax) value = kValueMax;
    // Values below 32 have a bucket each; above, the highest bit names the group and the five bits
    // behind it the part.
    const int width = std::bit_width(value);
    if (width <= kPartBits) return static_cast<std::size_t>(value);
    const int shift = width - kPartBits - 1;
    return (static_cast<std::size_t>(shift) << kPartBits) +
           static_cast<std::size_t>(value >> shift);
  }
  // The largest value that falls into the bucket.
  static constexpr std::uint64_t bucket_end(std::size_t bucket) {
    constexpr std::size_t kParts = std::size_t{1} << kPartBits;
    if (bucket < 2 * kParts) return bucket;
    const int shift = static_cast<int>(bucket >> kPartBits) - 1;
    const std::uint64_t part = (bucket & (kParts - 1)) + kParts;
    return ((part + 1) << shift) - 1;
  }

 private:
  std::array<Counter, kBuckets> buckets_;
  Counter count_;
  Counter sum_;
  Counter max_;
};

}  // namespace slotcar::base
