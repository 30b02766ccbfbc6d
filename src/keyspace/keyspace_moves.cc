// Whole values between keys (RENAME, COPY, MOVE) and whole databases (FLUSHDB, SWAPDB).
#include <utility>

#include "base/assert.h"
#include "base/numbers.h"
#include "keyspace/keyspace.h"

namespace slotcar::keyspace {

namespace {

std::string printed(DbIndex db) {
  char digits[24];
  return {digits, static_cast<std::size_t>(base::print_int64(digits, db.value))};
}

std::optional<UnixMs> expiry_of(const Entry& entry) {
  if (!entry.has_expiry()) return std::nullopt;
  return entry.expires_at();
}

// A flush of everything is one message. (Without a table of trackers there is no one to notify.)
void tell_everything_stale(Hold& hold) {
  if (hold.settings->tracking != nullptr) hold.notifications->everything_stale = true;
}

}  // namespace

void Keyspace::rename(Hold& hold, DbIndex db, Keyspace& from_space, const Key& from,
                      Keyspace& to_space, const Key& to) {
  if (&from_space == &to_space && from.name == to.name) return;
  Word* word = from_space.live(hold, db, from);
  ASSERT(word != nullptr);
  hold.effects->add(db, {"RENAME", from.name, to.name});
  from_space.changed(hold, db, from);
  to_space.changed(hold, db, to);

  Entry* source = from_space.unlink(hold, *from_space.database(db), from_space.table_of(from.slot),
                                    from.hash, word);
  const auto when = expiry_of(*source);
  Entry* entry = EntryEditor::make(to.name, EntryEditor::take_content(*source), when);
  EntryEditor::copy_stamp(*entry, *source);
  EntryEditor::free_shell(source);
  to_space.link_over(hold, db, to, entry);
  hold.note(EventClass::fresh, "new", db, to.name);
  hold.note(EventClass::generic, "rename_from", db, from.name);
  hold.note(EventClass::generic, "rename_to", db, to.name);
}

void Keyspace::copy(Hold& hold, Keyspace& from_space, DbIndex from_db, const Key& from,
                    Keyspace& to_space, DbIndex to_db, const Key& to) {
  if (&from_space == &to_space && from_db == to_db && from.name == to.name) return;
  const Word* word = from_space.live(hold, from_db, from);
  ASSERT(word != nullptr);
  if (hold.effects->recording()) {
    hold.effects->add(from_db, {"COPY", from.name, to.name, "DB", printed(to_db), "REPLACE"});
  } else {
    hold.effects->count();
  }
  to_space.changed(hold, to_db, to);

  const Entry& source = *Table::entry_of(*word);
  Entry* entry = EntryEditor::make(to.name, EntryEditor::content_of(source), expiry_of(source));
  EntryEditor::stamp_new(*entry, hold);
  to_space.link_over(hold, to_db, to, entry);
  hold.note(EventClass::fresh, "new", to_db, to.name);
  hold.note(EventClass::generic, "copy_to", to_db, to.name);
}

bool Keyspace::move(Hold& hold, DbIndex from_db, DbIndex to_db, const Key& key) {
  ASSERT(from_db != to_db);
  if (live(hold, to_db, key)) return false;
  Word* word = live(hold, from_db, key);
  if (!word) return false;
  if (hold.effects->recording()) {
    hold.effects->add(from_db, {"MOVE", key.name, printed(to_db)});
  } else {
    hold.effects->count();
  }
  changed(hold, from_db, key);
  changed(hold, to_db, key);
  const std::uint32_t table = table_of(key.slot);
  Entry* entry = unlink(hold, *database(from_db), table, key.hash, word);
  link(hold, open(to_db), table, key.hash, entry);
  hold.note(EventClass::fresh, "new", to_db, key.name);
  hold.note(EventClass::generic, "move_from", from_db, key.name);
  hold.note(EventClass::generic, "move_to", to_db, key.name);
  return true;
}

// --- whole databases ---------------------------------------------------------------------------

Keyspace::Garbage Keyspace::flush(Hold& hold, DbIndex db) {
  forget_tracked(hold);
  Database* emptied = database(db);
  if (!emptied || !emptied->contents) return {};
  if (key_watchers_) key_watchers_->watched().emptied(db);
  if (hold.effects->notes_keys()) hold.effects->note_all_keys(*this);
  if (waited_ && hold.signals) waited_->signal_all(*hold.signals, db);
  Garbage garbage;
  garbage.keys = static_cast<std::size_t>(emptied->keys.get());
  hold.counters->memory.add(-emptied->contents->bytes);
  emptied->tables = nullptr;
  std::shared_ptr<Contents> contents(std::move(emptied->contents));
  if (cut_) cut_->keep(contents);
  garbage.contents = std::move(contents);
  emptied->keys.set(0);
  emptied->keys_with_expiry.set(0);
  publish_next_due(*emptied);
  return garbage;
}

void Keyspace::swap(Hold& hold, DbIndex a, DbIndex b) {
  if (a == b) return;
  forget_tracked(hold);
  // As in Redis: a watcher is marked if the key exists on either side.
  const auto lives = [&](DbIndex db, const Key& key) {
    const Word* word = lookup(db, key);
    return word && !is_over(hold, *Table::entry_of(*word));
  };
  const auto exists = [&](const Watch& watch) {
    const Key key = watch.key();
    return lives(a, key) || lives(b, key);
  };
  if (hold.effects->notes_keys()) hold.effects->note_all_keys(*this);
  if (key_watchers_) key_watchers_->watched().exchanged(a, exists);
  if (key_watchers_) key_watchers_->watched().exchanged(b, exists);
  if (waited_ && hold.signals) waited_->signal_all(*hold.signals, a);
  if (waited_ && hold.signals) waited_->signal_all(*hold.signals, b);

  Database& first = database_made(a);
  Database& second = database_made(b);
  std::swap(first.tables, second.tables);
  std::swap(first.contents, second.contents);
  std::swap(first.next_due, second.next_due);
  const auto exchange = [](base::Counter& x, base::Counter& y) {
    const std::int64_t value = x.get();
    x.set(y.get());
    y.set(value);
  };
  exchange(first.keys, second.keys);
  exchange(first.keys_with_expiry, second.keys_with_expiry);
  use(a);
  use(b);
}

void record_flush(Hold& hold, std::optional<DbIndex> db) {
  tell_everything_stale(hold);
  if (db) {
    hold.effects->add(*db, {"FLUSHDB"});
  } else {
    hold.effects->add(DbIndex{0}, {"FLUSHALL"});
  }
}

void record_swap(Hold& hold, DbIndex a, DbIndex b) {
  tell_everything_stale(hold);
  hold.effects->add(a, {"SWAPDB", printed(a), printed(b)});
}

}  // namespace slotcar::keyspace
