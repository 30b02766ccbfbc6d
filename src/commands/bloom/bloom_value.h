// Shared by the bloom filter commands: finding a filter, and RedisBloom's error texts.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "commands/declare.h"
#include "keyspace/edit/bloom_edit.h"
#include "types/bloom.h"

namespace slotcar::commands {

inline constexpr std::string_view kNoFilter = "ERR not found";
inline constexpr std::string_view kFilterExists = "ERR item exists";
inline constexpr std::string_view kFilterImpossible = "ERR could not create filter";
inline constexpr std::string_view kFilterFull = "ERR non scaling filter is full";
inline constexpr std::string_view kFilterTooLarge = "ERR problem inserting into filter";

inline const types::BloomFilter& filter_of(const Entry& entry) {
  return *static_cast<const types::BloomFilter*>(entry.cell().tree);
}

// The filter at the first key; null, with an error reply, if there is none.
inline const types::BloomFilter* find_filter(Call& call) {
  const Entry* entry = call.find(0);
  if (entry != nullptr && entry->type() == types::Type::bloom) return &filter_of(*entry);
  call.reply().error(entry == nullptr ? kNoFilter : schema::kWrongType);
  return nullptr;
}

// Adds the arguments from `first` on, and replies with an array, or with the outcome of a single
// one. It stops at the first that does not fit any more.
inline void add_elements(Call& call, keyspace::BloomEdit& filter, std::size_t first,
                         bool as_array) {
  using Added = types::BloomFilter::Added;
  std::vector<Added> outcomes;
  for (std::size_t i = first; i < call.size(); ++i) {
    outcomes.push_back(filter.add(call.arg(i)));
    if (outcomes.back() == Added::full || outcomes.back() == Added::too_large) break;
  }
  if (as_array) call.reply().array(outcomes.size());
  for (const Added outcome : outcomes) {
    switch (outcome) {
      case Added::fresh:
      case Added::known:
        call.reply().boolean(outcome == Added::fresh);
        break;
      case Added::full:
        call.reply().error(kFilterFull);
        break;
      case Added::too_large:
        call.reply().error(kFilterTooLarge);
        break;
    }
  }
}

}  // namespace slotcar::commands
