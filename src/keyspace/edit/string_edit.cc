#include "keyspace/edit/string_edit.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/assert.h"
#include "base/limits.h"
#include "base/memory.h"
#include "keyspace/digits.h"

namespace slotcar::keyspace {

namespace {

using base::SharedBytes;

// Spare room for a growing buffer: a bitmap that is filled from its beginning grows often.
std::size_t with_room(std::size_t size) {
  constexpr std::size_t kMebibyte = 1024 * 1024;
  return size < kMebibyte ? size * 2 : size + std::max(kMebibyte, size / 4);
}

}  // namespace

StringEdit::StringEdit(Keyspace& space, Hold& hold, DbIndex db, const Key& key)
    : space_(&space), hold_(&hold), db_(db), key_(key) {
  const Keyspace::Word* found = space.live(hold, db, key);
  space.will_change(hold, db, key);
  if (found == nullptr) return;
  entry_ = Table::entry_of(*found);
  if (!entry_->is_string()) {
    wrong_type_ = true;
    entry_ = nullptr;
    return;
  }
  if (hold.touch) EntryEditor::stamp_use(*entry_, hold);
  look();
}

StringEdit::~StringEdit() {
  // The next edit may have this same address, but its effects belong to another key.
  if (hold_->effects->recording()) hold_->effects->end_line();
  if (changed_) space_->changed(*hold_, db_, key_);
}

char* StringEdit::claim(std::size_t size, std::size_t at, std::size_t count) {
  ASSERT(!wrong_type_ && at + count <= std::max(size, size_));
  const std::size_t old = size_;
  const bool grows = size > old;
  const std::size_t from = grows ? std::min(at, old) : at;
  const std::size_t to = grows ? size : at + count;
  if (!resize_in_place(std::max(size, old), from, to)) {
    if (!reserve(std::max(size, old))) return nullptr;
    resize(std::max(size, old));
  }
  if (grows) std::memset(data_ + old, 0, size - old);
  return data_;
}

void StringEdit::effect(std::string_view name, Words arguments) {
  hold_->effects->end_line();
  effect_joined(name, arguments);
  hold_->effects->end_line();
}

void StringEdit::effect_joined(std::string_view name, Words arguments) {
  changed_ = true;
  hold_->effects->join(this, db_, name, key_.name, arguments);
}

void StringEdit::effect_range(std::size_t offset, std::size_t size) {
  ASSERT(offset + size <= size_);
  effect("SETRANGE", {Digits(offset), {data_ + offset, size}});
}

void StringEdit::effect_growth() {
  changed_ = true;
  hold_->effects->add_part(db_, {"SETRANGE", key_.name, Digits(size_ - 1), {data_ + size_ - 1, 1}});
}

void StringEdit::effect_counted() {
  changed_ = true;
  hold_->effects->count();
}

void StringEdit::effect_whole() {
  if (entry_ != nullptr && entry_->has_expiry()) return effect("SET", {packed(), "KEEPTTL"});
  effect("SET", {packed()});
}

void StringEdit::store_raw(Keyspace& space, Hold& hold, DbIndex db, const Key& key,
                           SharedBytes bytes, std::span<const std::string_view> effect) {
  Keyspace::Word* word = space.live(hold, db, key);
  if (effect.empty()) {
    hold.effects->add(db, {"SET", key.name}, {bytes.view(), &bytes});
  } else {
    hold.effects->add_words(db, effect);
  }
  space.changed(hold, db, key);
  const bool embedded = bytes.size() <= limits::kEmbeddedStringMax;
  const std::string_view view = bytes.view();
  space.store(hold, db, key, word,
              embedded ? EntryEditor::embedded_raw(view) : EntryEditor::shared_raw(bytes),
              ExpiryChange::clear());
}

// --- the cell ----------------------------------------------------------------------------------

void StringEdit::look() {
  const types::StringRef value = entry_->string();
  const std::string_view bytes = value.view(digits_);
  data_ = const_cast<char*>(bytes.data());
  size_ = bytes.size();
}

// Whether the bytes are in the entry itself, with the encoding that Redis reports for a string that
// was written to.
bool StringEdit::is_embedded_raw() const {
  return entry_ != nullptr && entry_->string().form == types::StringRef::Form::bytes &&
         entry_->encoding() == types::Encoding::raw;
}

// Makes such a value longer or shorter, mostly in place.
void StringEdit::resize_embedded(std::size_t size) {
  Entry* fresh = EntryEditor::resize_packed(entry_, size);
  if (fresh != entry_) {
    Database& in = *space_->database(db_);
    const auto before = static_cast<std::int64_t>(base::usable_bytes(entry_));
    space_->put_in_place_of(*hold_, in, space_->table_of(key_.slot), space_->lookup(db_, key_),
                            fresh);
    space_->tally(*hold_, in).add(static_cast<std::int64_t>(base::usable_bytes(fresh)) - before);
    EntryEditor::free_shell(std::exchange(entry_, fresh));
  }
  look();
}

// Allocates the memory before anything is changed.
bool StringEdit::reserve(std::size_t size) {
  if (size < limits::kTriedBytesMin) return true;
  if (entry_ != nullptr) reserved_ = SharedBytes::try_allocate(with_room(size), hold_->reclaimer);
  if (!reserved_) reserved_ = SharedBytes::try_allocate(size, hold_->reclaimer);
  return static_cast<bool>(reserved_);
}

// Of a value with a buffer of its own.
bool StringEdit::resize_in_place(std::size_t size, std::size_t from, std::size_t to) {
  if (entry_ == nullptr || EntryEditor::writable(*entry_, size, from, to) == nullptr) return false;
  look();
  return true;
}

void StringEdit::resize_packed(std::size_t size) {
  ASSERT(!wrong_type_);
  if (size <= limits::kEmbeddedStringMax && is_embedded_raw()) {
    if (size != size_) resize_embedded(size);
    return;
  }
  if (resize_in_place(size, 0, size)) return;
  const std::size_t kept = std::min(size_, size);
  EntryEditor::Content content;
  char whole[limits::kEmbeddedStringMax];
  if (size <= limits::kEmbeddedStringMax) {
    if (kept != 0) std::memcpy(whole, data_, kept);
    std::memset(whole + kept, 0, size - kept);
    content = EntryEditor::embedded_raw({whole, size});
  } else {
    SharedBytes buffer = std::exchange(reserved_, {});
    if (!buffer) {
      const bool grows = size > size_ && entry_ != nullptr;
      buffer = SharedBytes::allocate(grows ? with_room(size) : size, hold_->reclaimer);
    }
    buffer.set_size(size);
    if (kept != 0) std::memcpy(buffer.mutable_data(), data_, kept);
    content = EntryEditor::shared_raw(std::move(buffer));
  }
  space_->store(*hold_, db_, key_, space_->lookup(db_, key_), std::move(content),
                ExpiryChange::keep());
  entry_ = Table::entry_of(*space_->lookup(db_, key_));
  look();
}

void StringEdit::keep_tree(std::unique_ptr<types::TreeObject>) {
  UNREACHABLE();  // a string never becomes one
}

void StringEdit::drop_tree(std::size_t) {
  UNREACHABLE();
}

}  // namespace slotcar::keyspace
