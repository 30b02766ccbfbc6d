#include "keyspace/edit/set_edit.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/assert.h"
#include "base/limits.h"
#include "keyspace/whole_effects.h"

namespace slotcar::keyspace {

namespace {

// Members per line when a whole set is recorded.
constexpr std::size_t kMembersPerLine = 64;

}  // namespace

SetEdit::~SetEdit() = default;

bool SetEdit::add(const types::Element& member) {
  if (!set().add(member)) return false;
  if (recording()) {
    types::Element::Scratch scratch;
    effect_joined("SADD", {member.view(scratch)});
  } else {
    effect_counted();
  }
  set_emptied(false);
  return true;
}

bool SetEdit::remove(const types::Element& member) {
  if (!set().remove(member)) return false;
  record_removal(member);
  set_emptied(size() == 0);
  return true;
}

void SetEdit::remove_at(std::size_t rank) {
  record_removal(view_set().at_rank(rank));
  set().remove_at(rank);
  set_emptied(size() == 0);
}

void SetEdit::record_removal(const types::Element& member) {
  if (!recording()) return effect_counted();
  types::Element::Scratch scratch;
  effect_joined("SREM", {member.view(scratch)});
}

void SetEdit::exchange_after_removal(types::OwnCell&& rest, std::span<const std::size_t> ranks) {
  ASSERT(!is_empty() && !rest.is_empty());
  if (recording()) {
    std::size_t rank = 0;
    auto next = ranks.begin();
    view_set().for_each([&](const types::Element& member) {
      if (next != ranks.end() && *next == rank++) {
        record_removal(member);
        ++next;
      }
      return next != ranks.end();
    });
  } else {
    effect_counted();
  }

  // The old version may be unshared: it is freed later.
  types::OwnCell old = types::OwnCell::pin(view());
  const std::size_t bytes = rest.is_tree() ? 0 : rest.size();
  char* to = is_tree() ? become_packed(bytes) : resize(bytes);
  if (rest.is_tree()) {
    become_tree(rest.take_tree());
  } else {
    std::copy_n(rest.data(), bytes, to);
  }
  if (old.is_tree()) types::let_go(old.take_tree(), hold().reclaimer);
}

void record_whole_set(Effects& effects, DbIndex db, std::string_view key,
                      const types::CellView& seen) {
  std::size_t members = 0;
  types::SetView(seen).for_each([&](const types::Element& member) {
    types::Element::Scratch scratch;
    if (members++ % kMembersPerLine == 0) effects.end_line();
    effects.join(&seen, db, "SADD", key, {member.view(scratch)});
    return true;
  });
  effects.end_line();
}

}  // namespace slotcar::keyspace
