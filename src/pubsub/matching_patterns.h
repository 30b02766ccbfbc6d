// Which of many patterns match a channel. They lie in order, so all that begin with the same
// letters are passed over at once where the channel begins with others; patterns that begin with a
// wildcard are all looked at.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/glob.h"

namespace slotcar::pubsub {

// Calls found(pattern, value) for each. `Patterns` is a std::map from std::string, std::less<>.
template <class Patterns, class Found>
void for_each_matching(Patterns& patterns, std::string_view channel, const Found& found) {
  for (auto at = patterns.begin(); at != patterns.end();) {
    const std::string_view pattern = at->first;
    const std::size_t literal = std::min(pattern.find_first_of("*?[\\"), pattern.size());
    const std::size_t both = std::min(literal, channel.size());
    std::size_t same = 0;
    while (same < both && pattern[same] == channel[same]) ++same;
    if (same == literal) {
      if (base::glob_match(pattern, channel)) found(at->first, at->second);
      ++at;
      continue;
    }
    // Nothing that begins so matches: on to the first pattern behind all of that.
    std::string behind(pattern.substr(0, same + 1));
    while (!behind.empty() && static_cast<unsigned char>(behind.back()) == 0xff) behind.pop_back();
    if (behind.empty()) return;
    behind.back() = static_cast<char>(static_cast<unsigned char>(behind.back()) + 1);
    at = patterns.lower_bound(behind);
  }
}

}  // namespace slotcar::pubsub
