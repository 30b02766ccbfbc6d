// The items of SORT: elements with their sort keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "types/cell.h"
#include "types/element.h"
#include "types/type.h"

namespace slotcar::commands {

struct SortItem {
  types::Element element;      // points into the sorted collection
  double score = 0;            // a number to sort by
  std::string_view text = {};  // or a text
  bool has_text = true;        // false: BY names nothing for this element, which comes first
  std::size_t index = 0;       // its position before the sort
};

// Owns the texts that items are compared by and that are stored nowhere else: digits of numeric
// elements, and values found by BY.
class SortTexts {
 public:
  std::string_view keep(std::string_view text);
  std::string_view text_of(const types::Element& element);

 private:
  static constexpr std::size_t kBlockBytes = 64 * 1024;
  std::deque<std::string> blocks_;
};

struct SortOrder {
  bool by_text = false;
  bool descending = false;
};

// Which of the sorted elements are wanted.
struct SortRange {
  std::size_t from = 0;
  std::size_t count = 0;
};

// LIMIT's numbers for a collection of that size. Negative starts are 0, negative counts all.
SortRange clip_limit(std::int64_t start, std::int64_t count, std::size_t size);

// The elements of a list, set or sorted set: all of them, or a range of those that have an order.
std::size_t sort_size(types::Type type, const types::CellView& seen);
std::vector<SortItem> sort_items(types::Type type, const types::CellView& seen);
std::vector<SortItem> sort_items(types::Type type, const types::CellView& seen,
                                 const SortRange& range, bool backwards);

// A number as SORT reads it: as C's strtod does, all of it; an empty text counts as 0.
std::optional<double> sort_score(const types::Element& element);

// Sorts so that at least the items [0, wanted) are in place. Different items with equal sort keys
// keep their order.
void sort_items(std::vector<SortItem>& items, const SortOrder& order, std::size_t wanted);

}  // namespace slotcar::commands
