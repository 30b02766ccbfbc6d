// StringEdit: one key's string, opened for changes in place (SETBIT, BITFIELD, PFADD). Its
// destructor notifies watchers, as Edit does for collections.
//
// It is a Cell, so that what is stored in a string (a HyperLogLog) uses the same interface as the
// collections. One thing is different: before the first write the bytes must be claimed, even if
// the size stays the same: `resize` claims all of them, `claim` some, which is what a long string
// allows. Until then they are read-only: they may be a printed number, or a buffer that has other
// readers.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "base/shared_bytes.h"
#include "keyspace/effects.h"
#include "keyspace/keyspace.h"
#include "types/cell.h"
#include "types/settings.h"
#include "types/string_value.h"

namespace slotcar::keyspace {

class StringEdit final : public types::Cell {
 public:
  StringEdit(Keyspace& space, Hold& hold, DbIndex db, const Key& key);
  ~StringEdit() override;
  StringEdit(const StringEdit&) = delete;
  StringEdit& operator=(const StringEdit&) = delete;

  // The key has another type: the edit must not be used.
  bool wrong_type() const { return wrong_type_; }
  // Whether the key exists.
  bool existed() const { return entry_ != nullptr; }
  const types::Settings& settings() const { return hold_->settings->types; }
  // As it is before the first change; empty if the key is absent.
  types::StringRef value() const {
    return entry_ != nullptr ? entry_->string() : types::StringRef{};
  }

  // As `resize` to at least `size` bytes, but new bytes are zero, and only the `count` bytes from
  // `at` on may be written. Null: there is not enough memory, and nothing was done.
  char* claim(std::size_t size, std::size_t at, std::size_t count);

  void note(EventClass kind, std::string_view name) { hold_->note(kind, name, db_, key_.name); }

  // Every change records its effect: `name key arguments...`. Joined ones share a line.
  using Words = Effects::Words;
  void effect(std::string_view name, Words arguments);
  void effect_joined(std::string_view name, Words arguments);
  // The bytes [offset, offset + size) as they are now, as SETRANGE.
  void effect_range(std::size_t offset, std::size_t size);
  // Records that the string has grown to its present size, before the effects of writes into it.
  // Not counted as a change; if nothing is written, `effect_counted` must follow.
  void effect_growth();
  void effect_counted();
  // The whole value, as a SET that keeps the time to live.
  void effect_whole();

  // Overwrites the key with these bytes and clears the time to live. Reported as raw even if they
  // look like a number (BITOP). `effect` is a shorter record than SET; empty: there is none.
  static void store_raw(Keyspace& space, Hold& hold, DbIndex db, const Key& key,
                        base::SharedBytes bytes, std::span<const std::string_view> effect = {});

 private:
  void resize_packed(std::size_t size) override;
  void keep_tree(std::unique_ptr<types::TreeObject> tree) override;
  void drop_tree(std::size_t packed_size) override;
  void look();
  bool is_embedded_raw() const;
  void resize_embedded(std::size_t size);
  bool reserve(std::size_t size);
  bool resize_in_place(std::size_t size, std::size_t from, std::size_t to);

  Keyspace* space_;
  Hold* hold_;
  DbIndex db_;
  Key key_;
  Entry* entry_ = nullptr;
  bool wrong_type_ = false;
  bool changed_ = false;
  base::SharedBytes reserved_;  // for the next growth
  types::StringRef::Scratch digits_;
};

}  // namespace slotcar::keyspace
