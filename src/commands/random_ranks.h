// Random elements of a collection: the ranks for SPOP, SRANDMEMBER and their
// relatives.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "runtime/random.h"

namespace slotcar::commands {

// `count` different ranks below `size`, uniformly chosen; ascending.
inline std::vector<std::size_t> distinct_ranks(runtime::FastRandom& random, std::size_t size,
                                               std::size_t count) {
  std::vector<std::size_t> ranks;
  if (count >= size) {
    ranks.resize(size);
    for (std::size_t i = 0; i < size; ++i) ranks[i] = i;
    return ranks;
  }
  ranks.reserve(count);
  if (count > size / 4) {
    // Each is taken with the probability needed / remaining.
    for (std::size_t i = 0; ranks.size() < count; ++i) {
      if (random.below(size - i) < count - ranks.size()) ranks.push_back(i);
    }
    return ranks;
  }
  // Few of many: draw until there are enough that differ.
  while (ranks.size() < count) {
    for (std::size_t left = count - ranks.size(); left > 0; --left) {
      ranks.push_back(random.below(size));
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  }
  return ranks;
}

}  // namespace slotcar::commands
