#include "commands/generic/sort_items.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>

#include "base/assert.h"
#include "types/list.h"
#include "types/set.h"
#include "types/sorted_set.h"

namespace slotcar::commands {

namespace {

int sign(int value) {
  return value < 0 ? -1 : value > 0 ? 1 : 0;
}

// Equal scores are ordered by the elements' text, so that the result is always the same.
int compare_scores(const SortItem& a, const SortItem& b) {
  if (a.score != b.score) return a.score < b.score ? -1 : 1;
  types::Element::Scratch scratch_a;
  types::Element::Scratch scratch_b;
  return sign(a.element.view(scratch_a).compare(b.element.view(scratch_b)));
}

int compare_texts(const SortItem& a, const SortItem& b) {
  if (!a.has_text || !b.has_text) return int{a.has_text} - int{b.has_text};
  return sign(a.text.compare(b.text));
}

}  // namespace

std::string_view SortTexts::keep(std::string_view text) {
  if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < text.size()) {
    blocks_.emplace_back();
    blocks_.back().reserve(std::max(kBlockBytes, text.size()));
  }
  std::string& block = blocks_.back();
  const std::size_t at = block.size();
  block += text;
  return {block.data() + at, text.size()};
}

std::string_view SortTexts::text_of(const types::Element& element) {
  if (!element.is_integer) return element.text;
  types::Element::Scratch scratch;
  return keep(element.view(scratch));
}

SortRange clip_limit(std::int64_t start, std::int64_t count, std::size_t size) {
  const auto all = static_cast<std::int64_t>(size);
  start = std::clamp<std::int64_t>(start, 0, all);
  const std::int64_t left = all - start;
  count = count < 0 ? left : std::min(count, left);
  return {static_cast<std::size_t>(start), static_cast<std::size_t>(count)};
}

std::size_t sort_size(types::Type type, const types::CellView& seen) {
  switch (type) {
    case types::Type::list:
      return types::ListView(seen).size();
    case types::Type::set:
      return types::SetView(seen).size();
    case types::Type::sorted_set:
      return types::SortedSetView(seen).size();
    default:
      UNREACHABLE();
  }
}

std::vector<SortItem> sort_items(types::Type type, const types::CellView& seen) {
  return sort_items(type, seen, {0, sort_size(type, seen)}, false);
}

std::vector<SortItem> sort_items(types::Type type, const types::CellView& seen,
                                 const SortRange& range, bool backwards) {
  std::vector<SortItem> items;
  if (range.count == 0) return items;
  items.reserve(range.count);
  const auto take = [&items](const types::Element& element) { items.push_back({element}); };
  switch (type) {
    case types::Type::list: {
      const types::ListView list(seen);
      const std::size_t first = backwards ? list.size() - range.from - range.count : range.from;
      list.visit(first, range.count, take);
      if (backwards) std::reverse(items.begin(), items.end());
      break;
    }
    case types::Type::sorted_set: {
      const types::SortedSetView set(seen);
      const std::size_t first = backwards ? set.size() - 1 - range.from : range.from;
      set.walk(first, range.count, backwards,
               [&](const types::Scored& scored) { take(scored.member); });
      break;
    }
    case types::Type::set: {
      std::size_t passed = 0;
      types::SetView(seen).for_each([&](const types::Element& member) {
        if (passed++ >= range.from) take(member);
        return items.size() < range.count;
      });
      break;
    }
    default:
      UNREACHABLE();
  }
  return items;
}

std::optional<double> sort_score(const types::Element& element) {
  if (element.is_integer) return static_cast<double>(element.number);
  // Numbers are short, so the copy with a zero at its end needs no allocation.
  const std::string text(element.text);
  char* end = nullptr;
  errno = 0;
  const double score = std::strtod(text.c_str(), &end);
  if (*end != '\0' || errno == ERANGE || std::isnan(score)) return std::nullopt;
  return score;
}

void sort_items(std::vector<SortItem>& items, const SortOrder& order, std::size_t wanted) {
  // Texts found by BY may be equal for different elements: then their order is kept.
  if (order.by_text) {
    std::stable_sort(items.begin(), items.end(), [&](const SortItem& a, const SortItem& b) {
      const int result = compare_texts(a, b);
      return order.descending ? result > 0 : result < 0;
    });
    return;
  }
  // Items with equal scores are indistinguishable.
  const auto before = [&](const SortItem& a, const SortItem& b) {
    const int result = compare_scores(a, b);
    return order.descending ? result > 0 : result < 0;
  };
  if (wanted < items.size() / 4) {
    const auto middle = items.begin() + static_cast<std::ptrdiff_t>(wanted);
    std::partial_sort(items.begin(), middle, items.end(), before);
  } else {
    std::sort(items.begin(), items.end(), before);
  }
}

}  // namespace slotcar::commands
