#include "base/suggest.h"

#include <algorithm>
#include <vector>

#include "base/ascii.h"

namespace slotcar::base {
namespace {

// A name this long is not a typing mistake, and the work grows with the product of both lengths.
constexpr std::size_t kNameBytesMax = 128;

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the usual table: the present one and, for swaps, the two before.
  std::vector<std::size_t> row(b.size() + 1), before(b.size() + 1), two_before(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_before.swap(before);
    before.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = to_lower(a[i - 1]) == to_lower(b[j - 1]);
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && to_lower(a[i - 1]) == to_lower(b[j - 2]) &&
          to_lower(a[i - 2]) == to_lower(b[j - 1])) {
        row[j] = std::min(row[j], two_before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::optional<std::string_view> suggest(std::string_view typed,
                                        std::span<const std::string_view> names) {
  if (typed.empty() || typed.size() > kNameBytesMax) return std::nullopt;
  std::optional<std::string_view> best;
  std::size_t best_distance = 0;
  for (std::string_view name : names) {
    if (name.size() > kNameBytesMax) continue;
    const std::size_t allowed = std::max<std::size_t>(1, name.size() / 3);
    const std::size_t distance = edit_distance(typed, name);
    if (distance > allowed || (best && distance >= best_distance)) continue;
    best = name;
    best_distance = distance;
  }
  return best;
}

}  // namespace slotcar::base
