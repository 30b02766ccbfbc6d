#include "keyspace/undo.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "keyspace/edit/entry_editor.h"
#include "keyspace/keyspace.h"

namespace slotcar::keyspace {

namespace {

constexpr std::size_t kFew = 16;  // so many are looked through one by one

}  // namespace

bool Undo::has(const Keyspace& space, DbIndex db, const Key& key) const {
  if (saved_.size() > kFew && !hashes_.contains(key.hash)) return false;
  return std::any_of(saved_.begin(), saved_.end(), [&](const Saved& saved) {
    return saved.hash == key.hash && saved.db == db && saved.space == &space &&
           saved.name == key.name;
  });
}

void Undo::save(Keyspace& space, DbIndex db, const Key& key, const Entry* now) {
  if (has(space, db, key)) return;
  Entry* image = nullptr;
  if (now != nullptr) {
    std::optional<UnixMs> when;
    if (now->has_expiry()) when = now->expires_at();
    image = EntryEditor::make(now->key(), EntryEditor::content_of(*now), when);
    EntryEditor::copy_stamp(*image, *now);
  }
  if (saved_.empty()) saved_.reserve(kFew);  // most scripts change few keys
  saved_.push_back({&space, db, std::string(key.name), key.hash, key.slot, image});
  if (saved_.size() <= kFew) return;
  if (hashes_.empty()) {
    for (const Saved& saved : saved_) hashes_.insert(saved.hash);
  } else {
    hashes_.insert(key.hash);
  }
}

void Undo::take_back(Hold& hold) {
  Undo* const self = std::exchange(hold.undo, nullptr);
  for (Saved& saved : saved_) {
    const Key key{saved.name, saved.hash, saved.slot};
    saved.space->put_back(hold, saved.db, key, std::exchange(saved.entry, nullptr));
  }
  saved_.clear();
  hashes_.clear();
  hold.effects->clear();
  if (hold.notifications != nullptr) hold.notifications->take_back();
  hold.undo = self;
}

void Undo::forget() {
  for (Saved& saved : saved_) {
    if (saved.entry != nullptr) EntryEditor::release(saved.entry, reclaimer_, false);
  }
  saved_.clear();
  hashes_.clear();
}

}  // namespace slotcar::keyspace
