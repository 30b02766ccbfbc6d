#include "commands/generic/sorting.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace slotcar::commands {

namespace {

// A LIMIT that leaves less than this part of the elements makes GET wait for the sort.
constexpr std::size_t kFewParts = 8;

}  // namespace

bool SortRequest::looks_up() const {
  return (by && has_star(*by)) || std::any_of(gets.begin(), gets.end(), has_star);
}

Sorting::Sorting(SortRequest request, types::Type type, const types::CellView& seen)
    : request_(std::move(request)), order_(request_.order), type_(type), seen_(seen) {
  if (request_.by) by_.emplace(*request_.by);
  for (const std::string_view get : request_.gets) gets_.emplace_back(get);
  // What is stored, or what a script sees, must be the same wherever the command runs; an unsorted
  // set has no fixed order.
  by_member_ = !request_.sorts() && type_ == types::Type::set &&
               (request_.store_at != 0 || request_.by_script);
  if (by_member_) order_.by_text = true;
}

void Sorting::plan(Call& call, bool all_gets) {
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
  gets_after_sort_ = !all_gets && sorts() && range_.count < items_.size() / kFewParts;
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

// A shard that was never used has no keyspace yet, and a look does not make one.
void Sorting::look_up_planned(Call& call) {
  const auto space = [&](std::size_t i) -> keyspace::Keyspace* {
    shard::Shard& shard = call.shards()[lookups_[i].shard];
    return shard.used() ? &shard.keys() : nullptr;
  };
  fetch_ahead(
      lookups_.size(),
      [&](std::size_t i) {
        if (auto* keys = space(i)) keys->prefetch_bucket(call.db(), lookups_[i].key);
      },
      [&](std::size_t i) {
        if (auto* keys = space(i)) keys->prefetch_entry(call.db(), lookups_[i].key);
      },
      [&](std::size_t i) {
        auto* keys = space(i);
        if (keys == nullptr) return;
        keep(call.now(), texts_, lookups_[i], keys->find(call.hold(), call.db(), lookups_[i].key));
      });
  lookups_.clear();
}

bool Sorting::plan_parts(Call& call) {
  ASSERT(!gets_after_sort_);
  db_ = call.db();
  ShardReads::plan(lookups_.size(), call.shards().count(),
                   [this](std::size_t i) { return lookups_[i].shard; });
  part_texts_.resize(part_count());
  return is_spread();
}

void Sorting::read_items(const shard::ReadPart& part, keyspace::Hold& hold, shard::Shard& shard) {
  if (!shard.used()) return;
  keyspace::Keyspace& keys = shard.keys();
  const auto lookup = [&](std::size_t n) -> const Lookup& { return lookups_[part.items[n]]; };
  fetch_ahead(
      part.items.size(), [&](std::size_t n) { keys.prefetch_bucket(db_, lookup(n).key); },
      [&](std::size_t n) { keys.prefetch_entry(db_, lookup(n).key); },
      [&](std::size_t n) {
        keep(hold.now, part_texts_[part.number], lookup(n), keys.find(hold, db_, lookup(n).key));
      });
}

void Sorting::keep(UnixMs now, SortTexts& texts, const Lookup& lookup, const Entry* entry) {
  if (entry == nullptr) return;
  const Found found = lookup.pattern->value_in(now, *entry);
  if (!found) return;
  *lookup.into = found->is_integer ? *found : types::Element::bytes(texts.keep(found->text));
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
