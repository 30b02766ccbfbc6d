#include "keyspace/edit/edit.h"

#include <utility>

#include "base/assert.h"
#include "base/memory.h"
#include "keyspace/whole_effects.h"

namespace slotcar::keyspace {

Edit::Edit(Keyspace& space, Hold& hold, DbIndex db, const Key& key, types::Type type)
    : space_(&space), hold_(&hold), db_(db), key_(key), type_(type) {
  const Keyspace::Word* found = space.live(hold, db, key);
  space.will_change(hold, db, key);
  if (found == nullptr) return;
  entry_ = Table::entry_of(*found);
  existed_ = true;
  if (entry_->type() != type) {
    wrong_type_ = true;
    entry_ = nullptr;
    return;
  }
  if (hold.touch) EntryEditor::stamp_use(*entry_, hold);
  look();
  if (tree_ != nullptr) tree_bytes_ = tree_->footprint();
}

Edit::~Edit() {
  // The next edit may have this same address, but its effects belong to another key.
  if (recording()) hold_->effects->end_line();
  if (changed_) commit();
  // No change was reported, so nothing may remain, such as a new cell that was never
  // filled.
  if (!changed_ && !existed_ && entry_ != nullptr) {
    space_->drop(*hold_, in(), space_->table_of(key_.slot), key_.hash, word());
  }
}

// Before the first change is recorded.
void Edit::begin_change() {
  changed_ = true;
  if (!existed_) hold_->note(EventClass::fresh, "new", db_, key_.name);
}

void Edit::commit() {
  space_->changed(*hold_, db_, key_);
  if (entry_ == nullptr) return;  // was never created
  if (emptied_) {
    // Memory that the trees have freed since is not counted yet.
    if (tree_ != nullptr) {
      space_->tally(*hold_, in())
          .add(static_cast<std::int64_t>(tree_->footprint()) -
               static_cast<std::int64_t>(tree_bytes_));
    }
    space_->drop(*hold_, in(), space_->table_of(key_.slot), key_.hash, word());
    entry_ = nullptr;
    hold_->note(EventClass::generic, "del", db_, key_.name);
    return;
  }
  if (tree_ == nullptr) return;
  const std::size_t bytes = tree_->footprint();
  if (bytes != tree_bytes_) {
    space_->tally(*hold_, in())
        .add(static_cast<std::int64_t>(bytes) - static_cast<std::int64_t>(tree_bytes_));
  }
  const bool parts_due = tree_->next_due() != kNever;
  if (!parts_due && !entry_->is_timed()) return;
  if (entry_->is_timed() && (parts_due || entry_->has_expiry())) {
    in().contents->expiry.update(entry_);
    space_->publish_next_due(in());
    return;
  }
  // It becomes timed, or no longer is: another layout.
  std::optional<UnixMs> when;
  if (entry_->has_expiry()) when = entry_->expires_at();
  exchange(EntryEditor::make(entry_->key(), EntryEditor::take_content(*entry_), when));
}

void Edit::effect(std::string_view name, Words arguments) {
  if (!changed_) begin_change();
  if (!recording()) return hold_->effects->count();
  hold_->effects->end_line();
  hold_->effects->join(this, db_, name, key_.name, arguments);
  hold_->effects->end_line();
}

void Edit::effect_joined(std::string_view name, Words arguments) {
  if (!changed_) begin_change();
  hold_->effects->join(this, db_, name, key_.name, arguments);
}

void Edit::effect_counted() {
  if (!changed_) begin_change();
  hold_->effects->count();
}

// --- the cell ----------------------------------------------------------------------------------

void Edit::look() {
  if (EntryEditor::keeps_tree(*entry_)) {
    tree_ = EntryEditor::tree_of(*entry_);
    data_ = nullptr;
    size_ = 0;
    return;
  }
  tree_ = nullptr;
  data_ = EntryEditor::packed_data(*entry_);
  size_ = entry_->cell().packed.size();
}

Keyspace::Word* Edit::word() {
  // Looked up each time: another edit may have moved the table's words since.
  Keyspace::Word* found = space_->lookup(db_, key_);
  ASSERT(found != nullptr && Table::entry_of(*found) == entry_);
  return found;
}

// `fresh` has taken over the value: the old entry is only a shell.
void Edit::exchange(Entry* fresh) {
  const auto before = static_cast<std::int64_t>(base::usable_bytes(entry_));
  space_->put_in_place_of(*hold_, in(), space_->table_of(key_.slot), word(), fresh);
  space_->tally(*hold_, in()).add(static_cast<std::int64_t>(base::usable_bytes(fresh)) - before);
  EntryEditor::free_shell(std::exchange(entry_, fresh));
}

void Edit::resize_packed(std::size_t size) {
  ASSERT(tree_ == nullptr && !wrong_type_);
  if (entry_ == nullptr) {
    entry_ = EntryEditor::make_packed(key_.name, type_, size);
    EntryEditor::stamp_new(*entry_, *hold_);
    Database& opened = space_->open(db_);
    space_->link(*hold_, opened, space_->table_of(key_.slot), key_.hash, entry_);
  } else if (Entry* fresh = EntryEditor::resize_packed(entry_, size); fresh != entry_) {
    exchange(fresh);
  }
  look();
}

void Edit::resize_packed_front(std::size_t size) {
  if (entry_ == nullptr) return resize_packed(size);
  ASSERT(tree_ == nullptr && !wrong_type_);
  if (Entry* fresh = EntryEditor::resize_packed_front(entry_, size); fresh != entry_) {
    exchange(fresh);
  }
  look();
}

void Edit::keep_tree(std::unique_ptr<types::TreeObject> tree) {
  ASSERT(tree_ == nullptr && !wrong_type_);
  tree_bytes_ = 0;
  if (entry_ == nullptr) {
    entry_ = EntryEditor::make(key_.name, EntryEditor::tree(type_, std::move(tree)), std::nullopt);
    EntryEditor::stamp_new(*entry_, *hold_);
    tree_bytes_ = EntryEditor::buffer_footprint(*entry_);
    Database& opened = space_->open(db_);
    space_->link(*hold_, opened, space_->table_of(key_.slot), key_.hash, entry_);
  } else {
    std::optional<UnixMs> when;
    if (entry_->has_expiry()) when = entry_->expires_at();
    exchange(EntryEditor::make(entry_->key(), EntryEditor::tree(type_, std::move(tree)), when));
  }
  look();
}

void Edit::drop_tree(std::size_t packed_size) {
  ASSERT(tree_ != nullptr);
  std::optional<UnixMs> when;
  if (entry_->has_expiry()) when = entry_->expires_at();
  EntryEditor::Content old = EntryEditor::take_content(*entry_);
  space_->tally(*hold_, in()).add(-static_cast<std::int64_t>(tree_bytes_));
  tree_bytes_ = 0;
  Entry* fresh = EntryEditor::make(entry_->key(), EntryEditor::packed(type_, {}), when);
  exchange(fresh);
  look();
  resize_packed(packed_size);
  types::let_go(std::move(old.tree), hold_->reclaimer);
}

// --- whole collections -------------------------------------------------------------------------

void Keyspace::set_collection(Hold& hold, DbIndex db, const Key& key, types::Type type,
                              types::OwnCell&& value, std::optional<UnixMs> expires_at,
                              const PreparedEffects* prepared) {
  ASSERT(!value.is_empty());
  const bool over = remove_silently(hold, db, key);
  if (prepared != nullptr) {
    hold.effects->add_prepared(db, *prepared);
  } else {
    record_whole(*hold.effects, db, key.name, type, value.view(), expires_at);
  }
  changed(hold, db, key);
  Content content = value.is_tree() ? EntryEditor::tree(type, value.take_tree())
                                    : EntryEditor::packed(type, value.packed());
  Entry* entry = EntryEditor::make(key.name, std::move(content), expires_at);
  EntryEditor::stamp_new(*entry, hold);
  link_over(hold, db, key, entry);
  if (!over) hold.note(EventClass::fresh, "new", db, key.name);
}

}  // namespace slotcar::keyspace
