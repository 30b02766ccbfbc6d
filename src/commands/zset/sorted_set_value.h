// Shared by the commands of sorted sets: finding one, and replying with elements.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/limits.h"
#include "commands/collection.h"
#include "keyspace/edit/sorted_set_edit.h"
#include "types/sorted_set.h"

namespace slotcar::commands {

inline types::SortedSetView sorted_set_of(const Entry* entry) {
  return entry != nullptr ? types::SortedSetView(entry->cell()) : types::SortedSetView();
}

// Elements as an array. With scores RESP2 clients get member, score, member, score..., those of
// RESP3 an array of pairs.
class ElementsReply {
 public:
  ElementsReply(Call& call, std::size_t count, bool with_scores)
      : reply_(call.reply()),
        with_scores_(with_scores),
        pairs_(with_scores && reply_.protocol() == resp::Protocol::resp3) {
    reply_.array(with_scores_ && !pairs_ ? 2 * count : count);
  }
  [[gnu::always_inline]] void add(double score, const types::Element& member) const {
    if (pairs_) reply_.array(2);
    reply_element(reply_, member);
    if (with_scores_) reply_.real(score);
  }
  [[gnu::always_inline]] void operator()(const types::Scored& element) const {
    add(element.score, element.member);
  }

 private:
  resp::ReplyWriter& reply_;
  bool with_scores_;
  bool pairs_;
};

}  // namespace slotcar::commands
