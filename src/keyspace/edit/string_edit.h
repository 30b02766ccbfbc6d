// StringEdit: one key's string, opened to be changed where it lies (SETBIT, BITFIELD, PFADD). The
// end of its life tells whoever watches, as Edit does for collections.
//
// It is a Cell, so that what lives in a string (a HyperLogLog) is written against the same
// interface as the collections. One thing is different: before the first write the bytes must be
// claimed, even if the size stays: with `resize` all of them, with `claim` some, which is what may
// be done to a long string. Until then they are only to be read: they may be a number that was
// printed, or a buffer that somebody else reads.
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

  // The key holds something else: the edit must not be used.
  bool wrong_type() const { return wrong_type_; }
  // Whether the key is there.
  bool existed() const { return entry_ != nullptr; }
  const types::Settings& settings() const { return hold_->settings->types; }
  // As it is before the first change; empty if the key is absent.
  types::StringRef value() const {
    return entry_ != nullptr ? entry_->string() : types::StringRef{};
  }

  // As `resize` to at least `size` bytes, but what is new is zero, and only the `count` bytes from
  // `at` on may be written. Null: there is not so much memory, and nothing was done.
  char* claim(std::size_t size, std::size_t at, std::size_t count);

  void note(EventClass kind, std::string_view name) { hold_->note(kind, name, db_, key_.name); }

  // Every change says what it was: `name key arguments...`. Joined ones share a line.
  using Words = Effects::Words;
  void effect(std::string_view name, Words arguments);
  void effect_joined(std::string_view name, Words arguments);
  // The bytes [offset, offset + size) as they are now, as SETRANGE.
  void effect_range(std::size_t offset, std::size_t size);
  // That the string has grown to its size now, before the effects of what is written into it. Not
  // counted as a change; if nothing is written, `effect_counted` must follow.
  void effect_growth();
  void effect_counted();
  // The whole value, as a SET that keeps the time to live.
  void effect_whole();

  // Stores bytes over whatever is there and clears the time to live. Reported as raw even if they
  // look like a number (BITOP). `effect` says it in a shorter way than SET; empty: there is none.
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
  base::SharedBytes reserved_;  // for the growth that comes next
  types::StringRef::Scratch digits_;
};

}  // namespace slotcar::keyspace
