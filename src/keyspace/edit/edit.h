// Edit: one key's collection, opened for change. The base of the edits of the types (HashEdit,
// ListEdit, ...), whose methods change the value and record what they did; the destructor does the
// rest, in one place: it removes the key of an emptied collection, counts memory, updates the
// expiry index and notifies watchers.
//
// At most one edit per key at a time; edits of different keys may overlap (SMOVE). While an edit
// lives nothing else may change that key.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "keyspace/effects.h"
#include "keyspace/keyspace.h"
#include "types/cell.h"
#include "types/settings.h"
#include "types/type.h"

namespace slotcar::keyspace {

class Edit : public types::Cell {
 public:
  Edit(Keyspace& space, Hold& hold, DbIndex db, const Key& key, types::Type type);
  ~Edit() override;
  Edit(const Edit&) = delete;
  Edit& operator=(const Edit&) = delete;

  // The key has another type: the edit must not be used.
  bool wrong_type() const { return wrong_type_; }
  // Whether the key existed when the edit was opened.
  bool existed() const { return existed_; }
  const types::Settings& settings() const { return hold_->settings->types; }
  UnixMs now() const { return hold_->now; }
  Hold& hold() { return *hold_; }
  // Notes an event with the command's name for it. (The edit itself notes the removal of an emptied
  // key, at its end.)
  void note(EventClass kind, std::string_view name) { hold_->note(kind, name, db_, key_.name); }

 protected:
  // For the methods of the types. Every change records its effect: `effect` is a line of its own,
  // `effect_joined` may share one with equal ones before it (HSET, SADD, RPUSH...).
  using Words = Effects::Words;
  void effect(std::string_view name, Words arguments);
  void effect_joined(std::string_view name, Words arguments);
  // Whether the effects' text is needed; if not, `effect_counted` suffices.
  bool recording() const { return hold_->effects->recording(); }
  void effect_counted();
  // After each change: whether the collection is empty. The key is then removed at the end.
  void set_emptied(bool emptied) { emptied_ = emptied; }

 private:
  void resize_packed(std::size_t size) override;
  void resize_packed_front(std::size_t size) override;
  void keep_tree(std::unique_ptr<types::TreeObject> tree) override;
  void drop_tree(std::size_t packed_size) override;
  void look();
  void exchange(Entry* fresh);
  Database& in() { return *space_->database(db_); }
  Keyspace::Word* word();
  void begin_change();
  void commit();

  Keyspace* space_;
  Hold* hold_;
  DbIndex db_;
  Key key_;
  types::Type type_;
  Entry* entry_ = nullptr;
  std::size_t tree_bytes_ = 0;  // as last counted
  bool existed_ = false;
  bool wrong_type_ = false;
  bool changed_ = false;
  bool emptied_ = false;
};

}  // namespace slotcar::keyspace
