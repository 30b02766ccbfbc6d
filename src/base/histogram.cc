#include "base/histogram.h"

#include <algorithm>
#include <cmath>

namespace slotcar::base {

std::int64_t Histogram::percentile(double percent) const {
  // Counted afresh, because `count_` may already be ahead of the buckets that another thread fills.
  std::int64_t total = 0;
  for (const Counter& bucket : buckets_) total += bucket.get();
  if (total == 0) return 0;
  percent = std::clamp(percent, 0.0, 100.0);
  auto rank = static_cast<std::int64_t>(std::ceil(static_cast<double>(total) * percent / 100.0));
  rank = std::clamp<std::int64_t>(rank, 1, total);
  if (rank == total) return max_.get();
  std::int64_t seen = 0;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    seen += buckets_[i].get();
    if (seen >= rank) return std::min(static_cast<std::int64_t>(bucket_end(i)), max_.get());
  }
  return max_.get();
}

std::int64_t Histogram::count_up_to(std::int64_t ns) const {
  if (ns < 0) return 0;
  const std::size_t last = bucket_of(static_cast<std::uint64_t>(ns));
  std::int64_t total = 0;
  for (std::size_t i = 0; i <= last; ++i) total += buckets_[i].get();
  return total;
}

void Histogram::merge(const Histogram& other) {
  // Its `count_` may be ahead of its buckets or behind them while its thread records; here they
  // agree.
  std::int64_t total = 0;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    const std::int64_t n = other.buckets_[i].get();
    if (n == 0) continue;
    buckets_[i].add(n);
    total += n;
  }
  count_.add(total);
  sum_.add(other.sum_.get());
  max_.set(std::max(max_.get(), other.max_.get()));
}

void Histogram::subtract(const Histogram& earlier) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < kBuckets; ++i) {
    buckets_[i].add(-earlier.buckets_[i].get());
    if (buckets_[i].get() > 0) last = i;
  }
  count_.add(-earlier.count_.get());
  sum_.add(-earlier.sum_.get());
  if (earlier.count_.get() == 0) return;
  max_.set(count_.get() > 0 ? std::min(max_.get(), static_cast<std::int64_t>(bucket_end(last)))
                            : 0);
}

void Histogram::reset() {
  for (Counter& bucket : buckets_) bucket.set(0);
  count_.set(0);
  sum_.set(0);
  max_.set(0);
}

}  // namespace slotcar::base
