#include "types/sorted_set_algebra.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/hash.h"
#include "types/set.h"
#include "types/sorted_set.h"

namespace slotcar::types {

namespace {

// inf - inf and 0 * inf are 0 here, not an error.
double weighted(const ScoredSource& source, double score) {
  const double value = source.weight * score;
  return std::isnan(value) ? 0 : value;
}

void join(Aggregate aggregate, double& into, double score) {
  switch (aggregate) {
    case Aggregate::sum:
      into += score;
      if (std::isnan(into)) into = 0;
      break;
    case Aggregate::min:
      into = score < into ? score : into;
      break;
    case Aggregate::max:
      into = score > into ? score : into;
      break;
  }
}

// Sums depend on their order; Redis adds the scores of the smaller operands first.
std::vector<ScoredSource> smallest_first(ScoredSources sources) {
  std::vector<ScoredSource> sorted(sources.begin(), sources.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const ScoredSource& a, const ScoredSource& b) {
    return a.size() < b.size();
  });
  return sorted;
}

// Calls visit(scores in the sources, member) for members that are in all of them, until it returns
// false.
template <class Visit>
void for_each_common(const std::vector<ScoredSource>& sources, const Visit& visit) {
  std::vector<double> scores(sources.size());
  sources[0].for_each([&](double score, const Element& member) {
    Element::Scratch scratch;
    const std::string_view text = member.view(scratch);
    scores[0] = score;
    for (std::size_t i = 1; i < sources.size(); ++i) {
      if (!sources[i].find(text, scores[i])) return true;
    }
    return visit(scores, member);
  });
}

}  // namespace

// --- sources -----------------------------------------------------------------------------------

std::size_t ScoredSource::size() const {
  return type == Type::set ? SetView(seen).size() : SortedSetView(seen).size();
}

bool ScoredSource::find(std::string_view member, double& score) const {
  if (type != Type::set) return SortedSetView(seen).find(member, score);
  score = 1;
  return SetView(seen).contains(Element::of(member));
}

template <class Visit>
void ScoredSource::for_each(const Visit& visit) const {
  if (type == Type::set) {
    SetView(seen).for_each([&](const Element& member) { return visit(1.0, member); });
    return;
  }
  SortedSetView(seen).walk_while(
      [&](const Scored& element) { return visit(element.score, element.member); });
}

// --- results -----------------------------------------------------------------------------------

std::string_view ScoredResult::text_of(const Element& member) {
  return member.is_integer ? std::string_view(printed_.emplace_back(member.copy())) : member.text;
}

void ScoredResult::sort() {
  std::sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
    return a.score != b.score ? a.score < b.score : a.member < b.member;
  });
}

void ScoredResult::store(Cell& cell, const Settings& settings) const {
  SortedSet set(cell, settings);
  std::size_t longest = 0;
  for (const Item& item : items_) longest = std::max(longest, item.member.size());
  set.expect(items_.size(), longest);
  for (const Item& item : items_) set.append(item.score, item.member);
}

// --- operations --------------------------------------------------------------------------------

ScoredResult unite(ScoredSources sources, Aggregate aggregate, base::HashSeed seed) {
  struct Hash {
    base::HashSeed seed;
    std::size_t operator()(std::string_view bytes) const { return base::hash_bytes(bytes, seed); }
  };
  ScoredResult result;
  std::unordered_map<std::string_view, double, Hash> scores(0, Hash{seed});
  for (const ScoredSource& source : smallest_first(sources)) {
    source.for_each([&](double score, const Element& member) {
      const double value = weighted(source, score);
      Element::Scratch scratch;
      const auto known = scores.find(member.view(scratch));
      if (known != scores.end()) {
        join(aggregate, known->second, value);
      } else {
        scores.emplace(result.text_of(member), value);
      }
      return true;
    });
  }
  for (const auto& [member, score] : scores) result.add(score, Element::bytes(member));
  return result;
}

ScoredResult intersect(ScoredSources sources, Aggregate aggregate) {
  ScoredResult result;
  const std::vector<ScoredSource> sorted = smallest_first(sources);
  for_each_common(sorted, [&](const std::vector<double>& scores, const Element& member) {
    double total = weighted(sorted[0], scores[0]);
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      join(aggregate, total, sorted[i].weight * scores[i]);
    }
    result.add(total, member);
    return true;
  });
  return result;
}

ScoredResult subtract(ScoredSources sources) {
  ScoredResult result;
  sources[0].for_each([&](double score, const Element& member) {
    Element::Scratch scratch;
    const std::string_view text = member.view(scratch);
    double ignored = 0;
    const bool is_elsewhere =
        std::any_of(sources.begin() + 1, sources.end(),
                    [&](const ScoredSource& other) { return other.find(text, ignored); });
    if (!is_elsewhere) result.add(score, member);
    return true;
  });
  return result;
}

std::size_t count_common(ScoredSources sources, std::size_t limit) {
  std::size_t found = 0;
  for_each_common(smallest_first(sources),
                  [&](const std::vector<double>&, const Element&) { return ++found != limit; });
  return found;
}

}  // namespace slotcar::types
