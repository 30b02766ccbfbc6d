// Approach: prefetches the path to an element of a big collection before the lookup. Every step
// reads only cache lines that the step before has prefetched, and prefetches the next ones. So a
// caller with several lookups interleaves their steps, and their cache misses overlap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace slotcar::types {

struct TreeNode;

// Hashes from `begin` to `last`, evenly spread.
struct HashRange {
  std::uint64_t begin = 0;
  std::uint64_t last = UINT64_MAX;

  // In which of `parts` equal parts the hash falls.
  std::uint32_t guess(std::uint64_t hash, std::uint32_t parts) const {
    if (hash <= begin) return 0;
    if (hash >= last) return parts - 1;
    // Halved, because only signed integers convert to doubles quickly.
    const auto part = static_cast<std::int64_t>((hash - begin) >> 1);
    const auto whole = static_cast<std::int64_t>((last - begin) >> 1);
    const double share = static_cast<double>(part) / (static_cast<double>(whole) + 1);
    return std::min(static_cast<std::uint32_t>(share * parts), parts - 1);
  }
};

// The last place in [0, last] that is not beyond the wanted one (0 never is), starting from a
// guess: some steps to either side, then binary search.
template <class LiesBeyond>
std::uint32_t find_near(std::uint32_t guess, std::uint32_t last, const LiesBeyond& lies_beyond) {
  constexpr std::uint32_t kSteps = 6;
  std::uint32_t low = 0;
  std::uint32_t high = last;
  if (guess > 0 && lies_beyond(guess)) {
    high = guess - 1;
    for (std::uint32_t step = 0; step < kSteps && high > 0; ++step, --high) {
      if (!lies_beyond(high)) return high;
    }
  } else {
    low = guess;
    for (std::uint32_t step = 0; step < kSteps && low < last; ++step, ++low) {
      if (lies_beyond(low + 1)) return low;
    }
  }
  while (low < high) {
    const std::uint32_t middle = (low + high + 1) / 2;
    if (lies_beyond(middle)) {
      high = middle - 1;
    } else {
      low = middle;
    }
  }
  return low;
}

struct Approach {
  std::string_view element = {};  // as it was given

  // For the steps.
  std::uint64_t hash = 0;
  HashRange range = {};
  const TreeNode* node = nullptr;  // prefetched; null: nothing yet
  std::uint32_t guess = 0;
  bool has_guess = false;  // the lines around the guess are prefetched, too
};

// Prefetches this many cache lines from there on.
inline void fetch_lines(const void* from, std::size_t lines) {
  for (std::size_t i = 0; i < lines; ++i) {
    __builtin_prefetch(static_cast<const char*>(from) + i * 64);
  }
  // A function that does nothing but prefetch looks to the compiler like one without effect.
  asm volatile("" : : "r"(from));
}

}  // namespace slotcar::types
