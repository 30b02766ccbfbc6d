#include "keyspace/edit/list_edit.h"

#include <memory>

#include "base/limits.h"
#include "base/numbers.h"
#include "keyspace/digits.h"
#include "keyspace/whole_effects.h"

namespace slotcar::keyspace {

namespace {

// Elements per line when a whole list is recorded.
constexpr std::size_t kElementsPerLine = 64;

}  // namespace

ListEdit::~ListEdit() = default;

void ListEdit::push(End end, std::span<const std::string_view> texts) {
  types::List(*this, settings()).push(end, texts);
  const std::string_view name = end == End::head ? "LPUSH" : "RPUSH";
  for (const std::string_view text : texts) effect_joined(name, {text});
  note(EventClass::list, end == End::head ? "lpush" : "rpush");
  set_emptied(false);
}

void ListEdit::popped(End end, std::size_t count) {
  set_emptied(size() == 0);
  const std::string_view name = end == End::head ? "LPOP" : "RPOP";
  if (!recording()) {
    effect_counted();
  } else if (count == 1) {
    effect(name, {});
  } else {
    effect(name, {Digits(count)});
  }
  note(EventClass::list, end == End::head ? "lpop" : "rpop");
}

void ListEdit::effect_numbered(std::string_view name, std::int64_t number, std::string_view text) {
  if (!recording()) return effect_counted();
  effect(name, {Digits(number), text});
}

void ListEdit::set(std::size_t index, std::string_view text) {
  types::List(*this, settings()).set(index, text);
  effect_numbered("LSET", static_cast<std::int64_t>(index), text);
  note(EventClass::list, "lset");
}

bool ListEdit::insert(Side side, std::string_view pivot, std::string_view text) {
  types::ListView::Search search{.text = pivot};
  search.count_max = 1;
  const auto found = list().positions(search);
  if (found.empty()) return false;
  const bool before = side == Side::before;
  types::List(*this, settings()).insert(found[0] + (before ? 0 : 1), text);
  effect("LINSERT", {before ? "BEFORE" : "AFTER", pivot, text});
  note(EventClass::list, "linsert");
  return true;
}

std::size_t ListEdit::remove(std::string_view text, End from, std::size_t max) {
  const std::size_t removed = types::List(*this, settings()).remove(text, from, max);
  if (removed == 0) return 0;
  const auto number = static_cast<std::int64_t>(removed);
  effect_numbered("LREM", from == End::head ? number : -number, text);
  note(EventClass::list, "lrem");
  set_emptied(size() == 0);
  return removed;
}

void ListEdit::trim(std::size_t from, std::size_t count) {
  if (from == 0 && count == size()) return;
  types::let_go(types::List(*this, settings()).trim(from, count), hold().reclaimer);
  set_emptied(count == 0);
  if (!recording()) return effect_counted();
  if (count == 0) return effect("DEL", {});
  effect("LTRIM", {Digits(from), Digits(from + count - 1)});
}

void record_whole_list(Effects& effects, DbIndex db, std::string_view key,
                       const types::CellView& seen) {
  const types::ListView list(seen);
  std::size_t recorded = 0;
  list.visit(0, list.size(), [&](const types::Element& element) {
    types::Element::Scratch scratch;
    if (recorded++ % kElementsPerLine == 0) effects.end_line();
    effects.join(&seen, db, "RPUSH", key, {element.view(scratch)});
  });
  effects.end_line();
}

}  // namespace slotcar::keyspace
