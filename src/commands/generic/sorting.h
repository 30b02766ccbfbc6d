// Sorting: one run of SORT over a collection that does not change meanwhile, in steps, so that only
// the lookups of other keys need their tokens:
//
//   plan      no token: takes the elements, makes the names that BY and GET ask for
//   look_up   all tokens: copies the values at these names; nothing is sorted or answered. A long
//             one only leaves parts (shard/shard_reads.h)
//   sort      no token
//   for_each  no token: the reply
//
// GET's names are known before the sort only if all or most elements are returned. If a LIMIT
// leaves few of many, `look_up` sorts, too, and only looks up values for those.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands/generic/sort_items.h"
#include "commands/generic/sort_pattern.h"
#include "commands/many_keys.h"

namespace slotcar::commands {

struct SortRequest {
  SortOrder order;
  std::int64_t limit_start = 0;
  std::int64_t limit_count = -1;
  std::optional<std::string_view> by;
  std::vector<std::string_view> gets;
  std::size_t store_at = 0;   // the argument that names the target; 0: none
  std::size_t lookup_at = 0;  // the first GET, or BY with a star; 0: none
  bool by_script = false;

  bool sorts() const { return !by || has_star(*by); }
  bool looks_up() const;
  static bool has_star(std::string_view pattern) {
    return pattern.find('*') != std::string_view::npos;
  }
};

class Sorting final : public shard::ShardReads {
 public:
  Sorting(SortRequest request, types::Type type, const types::CellView& seen);

  // `all_gets`: before the sort it is known what all GETs ask for, whatever the LIMIT says.
  void plan(Call& call, bool all_gets = false);
  void look_up(Call& call);
  // Instead of `look_up`, with all GETs planned: what there is to be read in each shard, if no
  // shard has too much of it.
  bool plan_parts(Call& call);
  // False: the elements cannot be sorted by number.
  bool sort();

  std::size_t elements() const { return items_.size(); }
  // How many values the answer has.
  std::size_t size() const { return range_.count * std::max<std::size_t>(gets_.size(), 1); }
  // Calls visit(const Element*) for each of them; null: GET's value does not exist.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t i = range_.from; i < range_.from + range_.count; ++i) {
      const SortItem& item = items_[i];
      if (gets_.empty()) visit(&item.element);
      for (std::size_t g = 0; g < gets_.size(); ++g) {
        if (gets_[g].is_element()) {
          visit(&item.element);
        } else {
          const auto* found =
              gets_[g].names_keys() ? &got_[item.index * gets_.size() + g] : nullptr;
          visit(found != nullptr && *found ? &**found : nullptr);
        }
      }
    }
  }

 private:
  using Found = std::optional<types::Element>;
  struct Lookup {
    keyspace::Key key;
    ShardId shard;
    const SortPattern* pattern;
    Found* into;
  };

  bool sorts() const { return request_.sorts() || by_member_; }
  void plan_lookup(Call& call, const SortPattern& pattern, const types::Element& element,
                   Found& into);
  void plan_gets(Call& call, std::size_t from, std::size_t count);
  void look_up_planned(Call& call);
  void read_items(const shard::ReadPart& part, keyspace::Hold& hold, shard::Shard& shard) override;
  static void keep(UnixMs now, SortTexts& texts, const Lookup& lookup, const Entry* entry);
  bool weigh();

  SortRequest request_;
  SortOrder order_;
  types::Type type_;
  types::CellView seen_;
  std::optional<SortPattern> by_;
  std::vector<SortPattern> gets_;
  SortRange range_;
  std::vector<SortItem> items_;
  std::vector<Found> weights_;  // what BY has found, by item
  std::vector<Found> got_;      // what GETs have found, for each item one after the other
  std::vector<Lookup> lookups_;
  SortTexts texts_;
  std::vector<SortTexts> part_texts_;  // likewise, of each part
  DbIndex db_;
  std::string name_;  // kept for its memory
  bool by_member_ = false;
  bool gets_after_sort_ = false;
  std::optional<bool> sorted_;  // whether the sort succeeded, once tried
};

}  // namespace slotcar::commands
