#include "keyspace/edit/sorted_set_edit.h"

#include <string_view>

#include "base/numbers.h"
#include "keyspace/whole_effects.h"

namespace slotcar::keyspace {

namespace {

struct PrintedScore {
  explicit PrintedScore(double score)
      : size(static_cast<std::size_t>(base::print_double(text, score))) {}
  std::string_view view() const { return {text, size}; }

  char text[base::kDoubleCharsMax];
  std::size_t size;
};

}  // namespace

SortedSetEdit::~SortedSetEdit() = default;

types::AddOutcome SortedSetEdit::add(double& score, std::string_view member,
                                     const types::AddRules& rules) {
  const types::AddOutcome outcome = set().add(score, member, rules);
  if (outcome != types::AddOutcome::added && outcome != types::AddOutcome::updated) return outcome;
  if (recording()) {
    effect_joined("ZADD", {PrintedScore(score).view(), member});
  } else {
    effect_counted();
  }
  set_emptied(false);
  return outcome;
}

bool SortedSetEdit::erase(std::string_view member) {
  if (!set().erase(member)) return false;
  effect_joined("ZREM", {member});
  set_emptied(size() == 0);
  return true;
}

void SortedSetEdit::erase_ranks(std::size_t from, std::size_t how_many) {
  if (how_many == 0) return;
  if (recording()) {
    view().walk(from, how_many, false, [this](const types::Scored& element) {
      types::Element::Scratch scratch;
      effect_joined("ZREM", {element.member.view(scratch)});
    });
  } else {
    for (std::size_t i = 0; i < how_many; ++i) effect_counted();
  }
  set().erase_ranks(from, how_many);
  set_emptied(size() == 0);
}

void record_whole_sorted_set(Effects& effects, DbIndex db, std::string_view key,
                             const types::CellView& seen) {
  constexpr std::size_t kElementsPerLine = 64;
  std::size_t in_line = 0;
  types::SortedSetView(seen).walk([&](const types::Scored& element) {
    types::Element::Scratch scratch;
    effects.join(&seen, db, "ZADD", key,
                 {PrintedScore(element.score).view(), element.member.view(scratch)});
    if (++in_line % kElementsPerLine == 0) effects.end_line();
  });
  effects.end_line();
}

}  // namespace slotcar::keyspace
