#include "keyspace/edit/hash_edit.h"

#include <string>

#include "base/numbers.h"
#include "keyspace/digits.h"

namespace slotcar::keyspace {

// Out of line, to anchor the vtable.
HashEdit::~HashEdit() = default;

// --- values ------------------------------------------------------------------------------------

bool HashEdit::set(std::string_view name, std::string_view value) {
  const auto before = hash().put(name, value);
  effect_joined("HSET", {name, value});
  set_emptied(false);
  return !before || is_over(*before);
}

void HashEdit::set_keeping_time(const types::Field& shown, std::string_view name,
                                std::string_view value) {
  const UnixMs due = shown.due;
  if (due == kNever) {
    set(name, value);
    return;
  }
  hash().put(name, value, due);
  effect("HSETEX", {"KEEPTTL", "FIELDS", "1", name, value});
  set_emptied(false);
}

void HashEdit::set_until(std::string_view name, std::string_view value, UnixMs due) {
  if (is_over(due)) {
    if (hash().erase(name)) erased(name);
    return;
  }
  hash().put(name, value, due);
  effect("HSETEX", {"PXAT", Digits(due), "FIELDS", "1", name, value});
  set_emptied(false);
}

// --- times -------------------------------------------------------------------------------------

bool HashEdit::expire(std::string_view name, UnixMs due) {
  if (is_over(due)) {
    if (hash().erase(name)) erased(name);
    return false;
  }
  hash().set_due(name, due);
  effect("HPEXPIREAT", {Digits(due), "FIELDS", "1", name});
  return true;
}

void HashEdit::persist(std::string_view name) {
  hash().set_due(name, kNever);
  effect("HPERSIST", {"FIELDS", "1", name});
}

// --- removing ----------------------------------------------------------------------------------

bool HashEdit::erase(std::string_view name) {
  const auto before = hash().erase(name);
  if (!before) return false;
  erased(name);
  return !is_over(*before);
}

void HashEdit::erased(std::string_view name) {
  effect_joined("HDEL", {name});
  set_emptied(hash().is_empty());
}

void HashEdit::remove_due(std::size_t max) {
  if (wrong_type() || !is_tree()) return;
  auto& fields = static_cast<types::HashTree&>(*tree());
  if (fields.first_over(clock_)) note(EventClass::hash, "hexpired");
  for (; max > 0; --max) {
    const auto over = fields.first_over(clock_);
    if (!over) return;
    const std::string name = over->name.copy();
    // A copy of the stored name, because what is erased must not be read.
    types::Element field = over->name;
    if (!field.is_integer) field.text = name;
    fields.erase(field);
    erased(name);
  }
}

}  // namespace slotcar::keyspace
