#include "commands/generic/sorting.h"

#include <algorithm>
#include <utility>

namespace slotcar::commands {

namespace {

// A LIMIT that leaves less than this part of the elements makes GET wait for the sort.
constexpr std::size_t kFewParts = 8;
// How many lookups ahead values are prefetched.
constexpr std::size_t kBucketsAhead = 24;
constexpr std::size_t kEntriesAhead = 12;

}  // namespace

bool SortRequest::looks_up() const {
  return (by && has_star(*by)) || std::any_of(gets.begin(), gets.end(), has_star);
}

Sorting::Sorting(SortRequest request, types::Type type, const types::CellView& seen)
    : request_(std::move(request)), order_(request_.order), type_(type), seen_(seen) {
  if (request_.by) by_.emplace(*request_.by);
  for (const std::string_view get : request_.gets) gets_.emplace_back(get);
  // The stored value must be the same wherever the command runs; an unsorted set has no fixed
  // order.
  by_member_ = !request_.sorts() && type_ == types::Type::set && request_.store_at != 0;
  if (by_member_) order_.by_text = true;
}

void Sorting::plan(Call& call) {
  range_ = clip_limit(request_.limit_start, request_.limit_count, sort_size(type_, seen_));
  if (sorts()) {
    items_ = sort_items(type_, seen_);
  } else {
    const bool backwards = order_.descending && type_ != types::Type::set;
    items_ = sort_items(type_, seen_, range_, backwards);
    range_.from = 0;
  }
  for (std::size_t i = 0; i < items_.size(); ++i) items_[i].index = i;
  if (request_.sorts() && by_) {
    weights_.resize(items_.size());
    lookups_.reserve(items_.size());
    for (SortItem& item : items_) plan_lookup(call, *by_, item.element, weights_[item.index]);
  }
  const bool looks =
      std::any_of(gets_.begin(), gets_.end(), [](const auto& get) { return get.names_keys(); });
  if (!looks) return;
  got_.resize(items_.size() * gets_.size());
  gets_after_sort_ = sorts() && range_.count < items_.size() / kFewParts;
  if (!gets_after_sort_) plan_gets(call, 0, items_.size());
}

void Sorting::plan_gets(Call& call, std::size_t from, std::size_t count) {
  for (std::size_t i = from; i < from + count; ++i) {
    for (std::size_t g = 0; g < gets_.size(); ++g) {
      if (!gets_[g].names_keys()) continue;
      plan_lookup(call, gets_[g], items_[i].element, got_[items_[i].index * gets_.size() + g]);
    }
  }
}

void Sorting::plan_lookup(Call& call, const SortPattern& pattern, const types::Element& element,
                          Found& into) {
  pattern.name_key(element, name_);
  keyspace::Key key = call.make_key(name_);
  key.name = texts_.keep(name_);
  lookups_.push_back({key, call.shards().shard_of(key.slot), &pattern, &into});
}

void Sorting::look_up(Call& call) {
  look_up_planned(call);
  if (!gets_after_sort_) return;
  if (!sort()) return;
  plan_gets(call, range_.from, range_.count);
  look_up_planned(call);
}

// Most of the time is spent waiting for memory, so it is prefetched some lookups ahead.
void Sorting::look_up_planned(Call& call) {
  const auto space = [&call](const Lookup& lookup) -> keyspace::Keyspace* {
    shard::Shard& shard = call.shards()[lookup.shard];
    return shard.used() ? &shard.keys() : nullptr;
  };
  for (std::size_t i = 0; i < lookups_.size() + kBucketsAhead; ++i) {
    if (i < lookups_.size()) {
      if (auto* keys = space(lookups_[i])) keys->prefetch_bucket(call.db(), lookups_[i].key);
    }
    const std::size_t near = i - (kBucketsAhead - kEntriesAhead);
    if (near < lookups_.size()) {
      if (auto* keys = space(lookups_[near])) keys->prefetch_entry(call.db(), lookups_[near].key);
    }
    const std::size_t here = i - kBucketsAhead;
    if (here >= lookups_.size()) continue;
    const Lookup& lookup = lookups_[here];
    if (auto* keys = space(lookup)) {
      keep(call, lookup, keys->find(call.hold(), call.db(), lookup.key));
    }
  }
  lookups_.clear();
}

void Sorting::keep(Call& call, const Lookup& lookup, const Entry* entry) {
  if (entry == nullptr) return;
  const Found found = lookup.pattern->value_in(call, *entry);
  if (!found) return;
  *lookup.into = found->is_integer ? *found : types::Element::bytes(texts_.keep(found->text));
}

bool Sorting::weigh() {
  const bool by_pattern = request_.sorts() && by_.has_value();
  for (SortItem& item : items_) {
    const Found& found = by_pattern ? weights_[item.index] : Found(item.element);
    if (!found) {
      item.has_text = false;
    } else if (order_.by_text) {
      item.text = texts_.text_of(*found);
    } else if (const auto score = sort_score(*found)) {
      item.score = *score;
    } else {
      return false;
    }
  }
  return true;
}

bool Sorting::sort() {
  if (sorted_) return *sorted_;
  sorted_ = !sorts() || weigh();
  if (*sorted_ && sorts()) sort_items(items_, order_, range_.from + range_.count);
  return *sorted_;
}

}  // namespace slotcar::commands
