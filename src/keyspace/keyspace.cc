// Databases, lookups, removal and expiry of single keys. Strings, walks, moves between keys and
// eviction are in the files of these names.
#include "keyspace/keyspace.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/assert.h"
#include "base/numbers.h"
#include "keyspace/edit/hash_edit.h"
#include "keyspace/undo.h"

namespace slotcar::keyspace {

Keyspace::Keyspace(const KeyspaceShape& shape, ShardId shard, std::atomic<UnixMs>& next_due)
    : databases_(shape.databases),
      shards_(shape.shards),
      shard_bits_(static_cast<std::uint32_t>(std::countr_zero(shape.shards))),
      shard_(shard),
      hasher_{shape.seed},
      next_due_(next_due),
      pages_(std::make_unique<std::atomic<Page*>[]>((shape.databases + kPage - 1) / kPage)) {
  ASSERT(std::has_single_bit(shape.shards) && shape.shards <= limits::kShardsMax);
  ASSERT(shard.value < shape.shards);
  ASSERT(shape.databases >= 1 && shape.databases <= limits::kDatabasesMax);
  next_due_.store(kNever, std::memory_order_relaxed);
}

Keyspace::~Keyspace() {
  for (std::size_t i = 0; i < (databases_ + kPage - 1) / kPage; ++i) delete pages_[i].load();
}

// --- databases ---------------------------------------------------------------------------------

Database& Keyspace::database_made(DbIndex db) {
  if (Database* there = database(db)) return *there;
  auto* page = new Page;
  pages_[db.value / kPage].store(page, std::memory_order_release);
  return page->databases[db.value % kPage];
}

Database& Keyspace::open(DbIndex db) {
  Database& opened = database_made(db);
  if (opened.tables) return opened;
  opened.contents = std::make_unique<Contents>(limits::kSlots / shards_);
  opened.tables = opened.contents->tables();
  use(db);
  return opened;
}

void Keyspace::use(DbIndex db) {
  if (std::find(used_.begin(), used_.end(), db) == used_.end()) used_.push_back(db);
}

// --- looking -----------------------------------------------------------------------------------

Keyspace::Word* Keyspace::live(Hold& hold, DbIndex db, const Key& key) {
  check(hold);
  Word* word = lookup(db, key);
  if (!word) return nullptr;
  Entry* entry = Table::entry_of(*word);
  if (__builtin_expect(is_over(hold, *entry), 0)) {
    expire(hold, db, table_of(key.slot), entry);
    return nullptr;
  }
  return word;
}

// As `live`, for readers.
Keyspace::Word* Keyspace::readable(Hold& hold, DbIndex db, const Key& key) {
  check(hold);
  Word* word = lookup(db, key);
  if (!word || !is_over(hold, *Table::entry_of(*word))) [[likely]]
    return word;
  if (readers_expire(hold)) expire(hold, db, table_of(key.slot), Table::entry_of(*word));
  return nullptr;
}

// Whether a read removes an expired key: not while writes cannot be recorded, nor during CLIENT
// PAUSE.
bool Keyspace::readers_expire(const Hold& hold) {
  if (hold.keeps_expired) return false;
  const std::atomic<UnixMs>* paused = hold.settings->paused_until;
  return paused == nullptr || hold.now >= paused->load(std::memory_order_relaxed);
}

const Entry* Keyspace::find(Hold& hold, DbIndex db, const Key& key) {
  const Word* word = readable(hold, db, key);
  if (!word) {
    hold.counters->misses.add(1);
    hold.note(EventClass::miss, "keymiss", db, key.name);
    return nullptr;
  }
  hold.counters->hits.add(1);
  Entry* entry = Table::entry_of(*word);
  if (hold.touch) EntryEditor::stamp_use(*entry, hold);
  return entry;
}

const Entry* Keyspace::find_for_write(Hold& hold, DbIndex db, const Key& key) {
  const Word* word = live(hold, db, key);
  if (!word) return nullptr;
  Entry* entry = Table::entry_of(*word);
  if (hold.touch) EntryEditor::stamp_use(*entry, hold);
  return entry;
}

const Entry* Keyspace::peek(Hold& hold, DbIndex db, const Key& key) {
  const Word* word = readable(hold, db, key);
  return word ? Table::entry_of(*word) : nullptr;
}

void Keyspace::touch(Hold& hold, DbIndex db, const Key& key) {
  if (const Word* word = live(hold, db, key)) {
    EntryEditor::stamp_use(*Table::entry_of(*word), hold);
  }
}

void Keyspace::set_idle_time(Hold& hold, DbIndex db, const Key& key, std::int64_t seconds) {
  check(hold);
  const Word* word = lookup(db, key);
  ASSERT(word != nullptr);
  EntryEditor::stamp_idle(*Table::entry_of(*word), hold, seconds);
}

void Keyspace::set_frequency(Hold& hold, DbIndex db, const Key& key, std::uint8_t counter) {
  check(hold);
  const Word* word = lookup(db, key);
  ASSERT(word != nullptr);
  EntryEditor::stamp_frequency(*Table::entry_of(*word), hold, counter);
}

void Keyspace::prefetch_bucket(DbIndex db, const Key& key) const {
  const Database* in = database(db);
  if (in && in->tables) in->tables[table_of(key.slot)].prefetch_bucket(key.hash);
}

const Entry* Keyspace::prefetch_entry(DbIndex db, const Key& key) const {
  const Database* in = database(db);
  if (!in || !in->tables) return nullptr;
  return in->tables[table_of(key.slot)].prefetch_entry(key.hash);
}

// --- linking -----------------------------------------------------------------------------------

void Keyspace::link(Hold& hold, Database& in, std::uint32_t table, std::uint64_t hash,
                    Entry* entry) {
  MemoryTally memory = tally(hold, in);
  if (in.tables[table].size() == 0) in.contents->set_occupied(table, true);
  in.tables[table].insert(entry, hash, hasher_, memory);
  memory.add(static_cast<std::int64_t>(entry->footprint()));
  in.keys.add(1);
  if (entry->is_timed()) {
    in.contents->expiry.insert(entry, table, memory);
    if (entry->has_expiry()) in.keys_with_expiry.add(1);
    publish_next_due(in);
  }
}

// The caller then owns the entry.
Entry* Keyspace::unlink(Hold& hold, Database& in, std::uint32_t table, std::uint64_t hash,
                        Word* word) {
  MemoryTally memory = tally(hold, in);
  Entry* entry = Table::entry_of(*word);
  if (entry->is_timed()) {
    in.contents->expiry.remove(entry, memory);
    if (entry->has_expiry()) in.keys_with_expiry.add(-1);
    publish_next_due(in);
  }
  in.tables[table].erase(word, hash, memory);
  if (in.tables[table].size() == 0) in.contents->set_occupied(table, false);
  memory.add(-static_cast<std::int64_t>(entry->footprint()));
  in.keys.add(-1);
  return entry;
}

void Keyspace::drop(Hold& hold, Database& in, std::uint32_t table, std::uint64_t hash, Word* word) {
  Entry* entry = unlink(hold, in, table, hash, word);
  EntryEditor::release(entry, hold.reclaimer);
}

// `fresh` has the same key as the entry at `word` and takes over its place, its stamp and, if both
// are timed, its cell in the expiry index. Frees nothing.
void Keyspace::put_in_place_of(Hold& hold, Database& in, std::uint32_t table, Word* word,
                               Entry* fresh) {
  MemoryTally memory = tally(hold, in);
  Entry* old = Table::entry_of(*word);
  EntryEditor::copy_stamp(*fresh, *old);
  Table::replace(word, fresh);
  ExpiryIndex& expiry = in.contents->expiry;
  const bool had = old->has_expiry();
  if (had != fresh->has_expiry()) in.keys_with_expiry.add(had ? -1 : 1);
  if (!old->is_timed() && !fresh->is_timed()) return;
  if (old->is_timed() && fresh->is_timed()) {
    expiry.moved(fresh, EntryEditor::place(*old));
  } else if (old->is_timed()) {
    expiry.remove(old, memory);
  } else {
    expiry.insert(fresh, table, memory);
  }
  publish_next_due(in);
}

// Links an entry that overwrites whatever its key had.
void Keyspace::link_over(Hold& hold, DbIndex db, const Key& key, Entry* entry) {
  check(hold);
  Database& in = open(db);
  const std::uint32_t table = table_of(key.slot);
  if (Word* there = in.tables[table].find(key.name, key.hash)) {
    drop(hold, in, table, key.hash, there);
  }
  link(hold, in, table, key.hash, entry);
}

// The cell has the earliest time of all databases. Most changes do not affect it.
void Keyspace::publish_next_due(Database& of) {
  const UnixMs next = of.contents ? of.contents->expiry.next() : kNever;
  const UnixMs before = std::exchange(of.next_due, next);
  if (next == before) return;
  const UnixMs published = next_due_.load(std::memory_order_relaxed);
  if (next < published) {
    next_due_.store(next, std::memory_order_relaxed);
  } else if (before == published) {
    UnixMs earliest = kNever;
    for (const DbIndex db : used_) earliest = std::min(earliest, database(db)->next_due);
    if (earliest != published) next_due_.store(earliest, std::memory_order_relaxed);
  }
}

// --- removing ----------------------------------------------------------------------------------

bool Keyspace::remove(Hold& hold, DbIndex db, const Key& key) {
  if (!remove_silently(hold, db, key)) return false;
  hold.note(EventClass::generic, "del", db, key.name);
  return true;
}

bool Keyspace::remove_silently(Hold& hold, DbIndex db, const Key& key) {
  Word* word = live(hold, db, key);
  if (!word) return false;
  hold.effects->add(db, {"DEL", key.name});
  changed(hold, db, key);
  drop(hold, *database(db), table_of(key.slot), key.hash, word);
  return true;
}

bool Keyspace::evict(Hold& hold, DbIndex db, const Key& key) {
  if (!remove_silently(hold, db, key)) return false;
  hold.counters->evicted.add(1);
  hold.note(EventClass::evicted, "evicted", db, key.name);
  return true;
}

void Keyspace::expire(Hold& hold, DbIndex db, std::uint32_t table, Entry* entry) {
  const Slot slot{static_cast<std::uint16_t>(table << shard_bits_ | shard_.value)};
  const Key key{entry->key(), hasher_.hash(entry->key(), hasher_.seed), slot};
  hold.effects->add(db, {"DEL", key.name});
  if (entry->has_expiry() && entry->expires_at() <= hold.now) {
    hold.counters->expired.add(1);
    hold.note(EventClass::expired, "expired", db, key.name);
  } else {  // a hash whose last field has expired
    hold.note(EventClass::hash, "hexpired", db, key.name);
    hold.note(EventClass::generic, "del", db, key.name);
  }
  changed(hold, db, key);
  Database& in = *database(db);
  Word* word = in.tables[table].find(key.name, key.hash);
  ASSERT(word != nullptr);  // the caller's hash and ours come from one seed
  drop(hold, in, table, key.hash, word);
}

bool Keyspace::expire_due(Hold& hold, int max) {
  check(hold);
  if (hold.applying || hold.keeps_expired) return false;
  if (!hold.settings->active_expire.get()) return false;
  for (const DbIndex db : used_) {
    Database& in = *database(db);
    while (in.contents && in.contents->expiry.next() <= hold.now) {
      if (max-- <= 0) return true;
      const ExpiryIndex::Item item = in.contents->expiry.at(0);
      const std::int64_t lag = hold.now - item.when;
      if (lag > hold.counters->expire_lag_ms_max.get()) hold.counters->expire_lag_ms_max.set(lag);
      if (is_over(hold, *item.entry())) {
        expire(hold, db, item.table(), item.entry());
      } else {
        expire_parts(hold, db, item.table(), item.entry());
      }
    }
  }
  return false;
}

// Removes a bounded number of expired fields of a hash; the rest stay due.
void Keyspace::expire_parts(Hold& hold, DbIndex db, std::uint32_t table, Entry* entry) {
  const Slot slot{static_cast<std::uint16_t>(table << shard_bits_ | shard_.value)};
  // The entry may move while its fields are removed.
  const std::string name(entry->key());
  const Key key{name, hasher_.hash(name, hasher_.seed), slot};
  HashEdit hash(*this, hold, db, key);
  hash.remove_due(limits::kFieldsExpiredAtOnce);
}

// --- expiry of a key ---------------------------------------------------------------------------

void Keyspace::set_expiry(Hold& hold, DbIndex db, const Key& key, UnixMs when) {
  Word* word = live(hold, db, key);
  ASSERT(word != nullptr);
  if (when <= hold.now && !hold.applying) {
    remove(hold, db, key);
    return;
  }
  if (hold.effects->recording()) {
    char digits[24];
    const auto length = static_cast<std::size_t>(base::print_int64(digits, when));
    hold.effects->add(db, {"PEXPIREAT", key.name, {digits, length}});
  } else {
    hold.effects->count();
  }
  hold.note(EventClass::generic, "expire", db, key.name);
  changed(hold, db, key);
  change_expiry(hold, *database(db), key, word, when);
}

bool Keyspace::clear_expiry(Hold& hold, DbIndex db, const Key& key) {
  Word* word = live(hold, db, key);
  if (!word || !Table::entry_of(*word)->has_expiry()) return false;
  hold.effects->add(db, {"PERSIST", key.name});
  hold.note(EventClass::generic, "persist", db, key.name);
  changed(hold, db, key);
  change_expiry(hold, *database(db), key, word, std::nullopt);
  return true;
}

// Gives the entry another expiry, or none. An entry has bytes for the time only if it has one, so
// its layout changes with that.
void Keyspace::change_expiry(Hold& hold, Database& in, const Key& key, Word* word,
                             std::optional<UnixMs> when) {
  Entry* old = Table::entry_of(*word);
  const bool parts_due =
      EntryEditor::keeps_tree(*old) && EntryEditor::tree_of(*old)->next_due() != kNever;
  if (old->is_timed() && (when || parts_due)) {
    const bool had = old->has_expiry();
    EntryEditor::set_expires_at(*old, when);
    if (had != when.has_value()) in.keys_with_expiry.add(had ? -1 : 1);
    in.contents->expiry.update(old);
    publish_next_due(in);
    return;
  }
  const auto before = static_cast<std::int64_t>(old->footprint());
  Entry* fresh = EntryEditor::make(old->key(), EntryEditor::take_content(*old), when);
  put_in_place_of(hold, in, table_of(key.slot), word, fresh);
  EntryEditor::free_shell(old);
  tally(hold, in).add(static_cast<std::int64_t>(fresh->footprint()) - before);
}

// --- snapshots ---------------------------------------------------------------------------------

void Keyspace::begin_cut() {
  cut_ = std::make_unique<Cut>(hasher_);
  for (const DbIndex db : used_) {
    Database& in = *database(db);
    if (in.contents) cut_->add(db, *in.contents);
  }
}

void Keyspace::save_for_cut(DbIndex db, const Key& key) {
  const Database* in = database(db);
  if (!in || !in->contents) return;
  const Word* word = lookup(db, key);
  cut_->save(in->contents.get(), table_of(key.slot), key, word ? Table::entry_of(*word) : nullptr);
}

void Keyspace::save_for_undo(Hold& hold, DbIndex db, const Key& key) {
  const Word* word = lookup(db, key);
  hold.undo->save(*this, db, key, word ? Table::entry_of(*word) : nullptr);
}

void Keyspace::put_back(Hold& hold, DbIndex db, const Key& key, Entry* entry) {
  check(hold);
  if (entry != nullptr) return link_over(hold, db, key, entry);
  Word* const word = lookup(db, key);
  if (word != nullptr) drop(hold, *database(db), table_of(key.slot), key.hash, word);
}

// --- interest and numbers ----------------------------------------------------------------------

void Keyspace::track(Hold& hold, const Key& key, Tracker& tracker) {
  check(hold);
  key_watchers_.get_or_create().track(hold, key, tracker);
}

void Keyspace::trim_tracked(Hold& hold, std::size_t max) {
  check(hold);
  if (key_watchers_) key_watchers_->trim_tracked(hold, max);
}

void Keyspace::forget_tracked(Hold& hold) {
  check(hold);
  if (key_watchers_) key_watchers_->forget_tracked(hold);
}

std::int64_t Keyspace::keys(DbIndex db) const {
  const Database* in = database(db);
  return in ? in->keys.get() : 0;
}

std::int64_t Keyspace::keys_with_expiry(DbIndex db) const {
  const Database* in = database(db);
  return in ? in->keys_with_expiry.get() : 0;
}

}  // namespace slotcar::keyspace
