// Keyspace: the keys of one shard, in all databases. The caller holds the shard's token and proves
// it with a Hold.
//
// Every change of a key goes through here, and only here
//   * the effect is recorded (hold.effects),
//   * watchers are marked, waiters signalled and trackers notified (`changed`),
//   * the keyspace events that do not depend on the command are noted: del, expire, persist,
//     expired, evicted, new, keymiss,
//   * expiry is indexed, memory counted.
// So no command can forget any of these.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/assert.h"
#include "base/counter.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/limits.h"
#include "base/on_demand.h"
#include "keyspace/cut.h"
#include "keyspace/database.h"
#include "keyspace/edit/entry_editor.h"
#include "keyspace/entry.h"
#include "keyspace/expiry_change.h"
#include "keyspace/hold.h"
#include "keyspace/key.h"
#include "keyspace/unsynced_writes.h"
#include "keyspace/watch/key_watchers.h"
#include "keyspace/watch/waited_keys.h"
#include "types/string_value.h"

namespace slotcar::keyspace {

struct KeyspaceShape {
  base::HashSeed seed;  // drawn at each start; callers hash their keys with the same
  std::uint32_t databases = 16;
  // A power of two; a slot's shard is slot & (shards - 1).
  std::uint32_t shards = limits::kShardsDefault;
};

class Keyspace {
 public:
  // `next_due` is this shard's cell in the node's array of next expiry times (kNever: none). The
  // keyspace updates it whenever its earliest expiry changes.
  Keyspace(const KeyspaceShape& shape, ShardId shard, std::atomic<UnixMs>& next_due);
  ~Keyspace();

  // --- looking ---------------------------------------------------------------------------------
  // The live value of a key, or null. `find` is a user's read: it counts a hit or a miss and
  // touches the access stamp. `find_for_write` only touches. `peek` does neither (TTL, OBJECT,
  // TYPE). An expired key is removed, with a DEL effect (not while applying).
  const Entry* find(Hold& hold, DbIndex db, const Key& key);
  const Entry* find_for_write(Hold& hold, DbIndex db, const Key& key);
  const Entry* peek(Hold& hold, DbIndex db, const Key& key);
  void touch(Hold& hold, DbIndex db, const Key& key);
  // The earlier use of a restored key: its idle time, or its frequency. Each is kept only under the
  // eviction policies that use it.
  void set_idle_time(Hold& hold, DbIndex db, const Key& key, std::int64_t seconds);
  void set_frequency(Hold& hold, DbIndex db, const Key& key, std::uint8_t counter);

  // Prefetches the cache lines of a lookup: first the bucket, then (some time later) the entry. May
  // be called for missing keys; changes nothing. The caller must hold the token, because this reads
  // the table.
  void prefetch_bucket(DbIndex db, const Key& key) const;
  // Returns the entry that it probably is, or null; its cache line is not loaded yet.
  const Entry* prefetch_entry(DbIndex db, const Key& key) const;

  // --- strings ---------------------------------------------------------------------------------
  // Stores a string, replacing any value. Decimal integers are stored as integers.
  void set_string(Hold& hold, DbIndex db, const Key& key, types::StringInput value,
                  ExpiryChange expiry);
  // Stores a number and keeps the expiry (INCR and relatives).
  void set_integer(Hold& hold, DbIndex db, const Key& key, std::int64_t value);
  // The key is absent or a string; the caller has checked the length limit. Both return the new
  // length, or nothing: there is not enough memory, and nothing was done.
  using Length = std::optional<std::size_t>;
  Length append(Hold& hold, DbIndex db, const Key& key, types::StringInput bytes);
  Length set_range(Hold& hold, DbIndex db, const Key& key, std::size_t at,
                   types::StringInput bytes);

  // --- collections -----------------------------------------------------------------------------
  // They are changed through the edits of their types (edit.h). This stores a whole one, replacing
  // any value; the cell is not empty. `prepared`: its effects, if made before.
  void set_collection(Hold& hold, DbIndex db, const Key& key, types::Type type,
                      types::OwnCell&& value, std::optional<UnixMs> expires_at = std::nullopt,
                      const PreparedEffects* prepared = nullptr);

  // --- keys ------------------------------------------------------------------------------------
  // Removes a live key; false if there was none. Big values are freed later by the reclaimer.
  bool remove(Hold& hold, DbIndex db, const Key& key);
  // As remove, without the event: the key is replaced, or another event says why it was removed.
  bool remove_silently(Hold& hold, DbIndex db, const Key& key);
  // The key must be live. A time in the past removes the key instead (recorded as DEL).
  void set_expiry(Hold& hold, DbIndex db, const Key& key, UnixMs when);
  bool clear_expiry(Hold& hold, DbIndex db, const Key& key);  // false if it had none

  // Whole values between keys. `to` is overwritten if present; the expiry is kept. The source must
  // be live. (Two keyspaces: source and target may be in different shards, both held.)
  static void rename(Hold& hold, DbIndex db, Keyspace& from_space, const Key& from,
                     Keyspace& to_space, const Key& to);
  static void copy(Hold& hold, Keyspace& from_space, DbIndex from_db, const Key& from,
                   Keyspace& to_space, DbIndex to_db, const Key& to);
  // Same key, other database, same shard. False if the target has the key.
  bool move(Hold& hold, DbIndex from_db, DbIndex to_db, const Key& key);

  // --- whole databases (all tokens held by the caller) -----------------------------------------
  // Empties a database in O(1) and returns what is to be freed (later, or at once for SYNC) and the
  // number of keys. Records nothing: FLUSHDB is one effect for all shards (see record_flush).
  struct Garbage {
    std::shared_ptr<Contents> contents;  // freed with the last reference
    std::size_t keys = 0;
  };
  Garbage flush(Hold& hold, DbIndex db);
  void swap(Hold& hold, DbIndex a, DbIndex b);

  // --- walking ---------------------------------------------------------------------------------
  // Calls `visit(entry)` for live keys of one slot in slices of hash order, from position `from`
  // on, about `count` of them; returns where to continue, or nothing at the slot's end. Every key
  // that exists during the whole walk is visited at least once, whatever grows, shrinks or moves
  // between the calls (`visit` itself must change nothing). Positions fit in 48 bits.
  std::optional<std::uint64_t> scan_slot(Hold& hold, DbIndex db, Slot slot, std::uint64_t from,
                                         std::size_t count,
                                         const std::function<void(const Entry&)>& visit);
  std::size_t keys_in_slot(DbIndex db, Slot slot) const;
  // A random key. Expired ones are removed, a few in one hold, and each costs one of `tries`; the
  // last try returns any key. Null: there is none, or the hold has lasted long enough.
  const Entry* random_key(Hold& hold, DbIndex db, int& tries);
  // First slot >= `slot` of this shard that has keys in `db`, if any: lets walks skip empty ones.
  std::optional<Slot> next_slot(DbIndex db, Slot slot) const;

  // --- expiry and eviction ---------------------------------------------------------------------
  // Removes at most `max` expired keys; true if more are due.
  bool expire_due(Hold& hold, int max);
  // The best key to evict among a few sampled ones under `policy`, with a score comparable between
  // shards (higher is better). Empty if the shard has no candidate.
  struct Victim {
    DbIndex db;
    std::string key;
    std::uint64_t score = 0;
  };
  std::optional<Victim> sample_victim(Hold& hold, EvictionPolicy policy, int samples);
  bool evict(Hold& hold, DbIndex db, const Key& key);  // as remove, counted as evicted

  // --- interest --------------------------------------------------------------------------------
  // WATCH: the clients to mark when a key changes, appears or is removed.
  WatchTable& watched() { return key_watchers_.get_or_create().watched(); }
  // CLIENT TRACKING: see key_watchers.h.
  void track(Hold& hold, const Key& key, Tracker& tracker);
  void trim_tracked(Hold& hold, std::size_t max);
  void forget_tracked(Hold& hold);

  // --- writes that are not durable yet (under `appendfsync always` only) ------------------------
  UnsyncedWrites& unsynced_writes() { return unsynced_writes_.get_or_create(); }
  const UnsyncedWrites* unsynced_if_any() const { return unsynced_writes_.if_any(); }  // null: none

  // --- snapshots (cut.h) -----------------------------------------------------------------------
  // From now on, until the cut is ended, the present state of the keys is kept for a snapshot.
  void begin_cut();
  Cut* cut() { return cut_.get(); }
  void end_cut() { cut_.reset(); }

  // --- scripts that begin anew (undo.h)
  // The key has this entry again, or none: null. Who watches it has heard of the change before.
  void put_back(Hold& hold, DbIndex db, const Key& key, Entry* entry);

  // --- who waits for keys (shard/waiters.h) ----------------------------------------------------
  WaitedKeys& waited() { return waited_.get_or_create(); }

  // --- numbers, readable by any thread ---------------------------------------------------------
  std::int64_t keys(DbIndex db) const;
  std::int64_t keys_with_expiry(DbIndex db) const;
  // Sum of remaining times is not kept; INFO's avg_ttl is estimated by sampling this shard. (This
  // function reads keys and needs the token.)
  std::int64_t average_ttl_ms(Hold& hold, DbIndex db, int samples);

 private:
  friend class Edit;        // one key's collection, opened for change
  friend class StringEdit;  // one key's string, opened for change
  using Word = Table::Word;
  using Content = EntryEditor::Content;

  // The caller may touch this shard.
  void check(const Hold& hold) const { ASSERT(hold.holds(shard_)); }

  // --- databases (keyspace.cc)
  Database* database(DbIndex db) const;  // null: never used
  Database& database_made(DbIndex db);
  Database& open(DbIndex db);  // with contents
  void use(DbIndex db);
  std::uint32_t table_of(Slot slot) const { return slot.value >> shard_bits_; }
  MemoryTally tally(Hold& hold, Database& in) const {
    return {hold.counters->memory, in.contents->bytes};
  }

  // --- one key (keyspace.cc)
  Word* lookup(DbIndex db, const Key& key) const;
  Word* live(Hold& hold, DbIndex db, const Key& key);  // removes it if it has expired
  Word* readable(Hold& hold, DbIndex db, const Key& key);
  static bool readers_expire(const Hold& hold);
  static bool is_over(const Hold& hold, const Entry& entry);
  void expire(Hold& hold, DbIndex db, std::uint32_t table, Entry* entry);
  void expire_parts(Hold& hold, DbIndex db, std::uint32_t table, Entry* entry);
  // Table, expiry index, numbers and memory: everything that refers to an entry, and nothing else.
  void link(Hold& hold, Database& in, std::uint32_t table, std::uint64_t hash, Entry* entry);
  Entry* unlink(Hold& hold, Database& in, std::uint32_t table, std::uint64_t hash, Word* word);
  void drop(Hold& hold, Database& in, std::uint32_t table, std::uint64_t hash, Word* word);
  void put_in_place_of(Hold& hold, Database& in, std::uint32_t table, Word* word, Entry* fresh);
  void link_over(Hold& hold, DbIndex db, const Key& key, Entry* entry);
  void change_expiry(Hold& hold, Database& in, const Key& key, Word* word,
                     std::optional<UnixMs> when);
  // The one place that notifies a key's watchers, waiters and trackers, before or after a change.
  void changed(Hold& hold, DbIndex db, const Key& key) {
    if (hold.effects->notes_keys()) hold.effects->note_key(*this, key.hash);
    will_change(hold, db, key);
    if (key_watchers_ && !key_watchers_->empty()) key_watchers_->changed(hold, db, key);
    if (hold.by_prefix) [[unlikely]]
      hold.notifications->add_changed(key.name, hold.client);
    if (waited_ && !waited_->empty()) waited_->signal(hold, db, key);
  }
  // For edits, which change first and notify at their end.
  void will_change(Hold& hold, DbIndex db, const Key& key) {
    if (cut_) [[unlikely]]
      save_for_cut(db, key);
    if (hold.undo != nullptr) [[unlikely]]
      save_for_undo(hold, db, key);
  }
  void save_for_cut(DbIndex db, const Key& key);
  void save_for_undo(Hold& hold, DbIndex db, const Key& key);
  void publish_next_due(Database& of);

  // --- strings (keyspace_strings.cc)
  void store(Hold& hold, DbIndex db, const Key& key, Word* word, Content content,
             ExpiryChange expiry);
  void splice(Hold& hold, DbIndex db, const Key& key, Word* word, std::string_view old,
              std::size_t offset, std::string_view bytes, base::SharedBytes buffer);

  // --- chance (eviction.cc)
  struct Candidate {
    DbIndex db;
    const Entry* entry;
  };
  std::optional<Candidate> sample(Hold& hold, bool with_expiry) const;
  static Entry* sample_volatile(const Database& in, std::uint64_t from);
  Entry* sample_in(Hold& hold, const Database& in) const;

  static constexpr std::size_t kPage = 16;
  struct Page {
    Database databases[kPage];
  };

  const std::uint32_t databases_;
  const std::uint32_t shards_;
  const std::uint32_t shard_bits_;
  const ShardId shard_;  // which one this is
  const TableHasher hasher_;
  std::atomic<UnixMs>& next_due_;
  // Database 0 is nearly always the one used; the others are in pages, each made on its first use
  // and then never moved, because any thread may read the counters in it.
  Database first_;
  std::unique_ptr<std::atomic<Page*>[]> pages_;
  std::vector<DbIndex> used_;  // databases that have or had keys
  // Made on first use, like all that most shards never need.
  base::OnDemand<KeyWatchers> key_watchers_;
  base::OnDemand<UnsyncedWrites> unsynced_writes_;
  std::unique_ptr<Cut> cut_;
  base::OnDemand<WaitedKeys> waited_;
};

inline Database* Keyspace::database(DbIndex db) const {
  if (db.value == 0) return const_cast<Database*>(&first_);
  ASSERT(db.value < databases_);
  Page* page = pages_[db.value / kPage].load(std::memory_order_acquire);
  return page ? &page->databases[db.value % kPage] : nullptr;
}

inline Keyspace::Word* Keyspace::lookup(DbIndex db, const Key& key) const {
  const Database* in = database(db);
  if (!in || !in->tables) return nullptr;
  return in->tables[table_of(key.slot)].find(key.name, key.hash);
}

inline bool Keyspace::is_over(const Hold& hold, const Entry& entry) {
  return entry.is_over(hold.now) && !hold.applying;
}

// The effects of the two whole-database commands, recorded once for all shards.
void record_flush(Hold& hold, std::optional<DbIndex> db);  // nothing: all databases
void record_swap(Hold& hold, DbIndex a, DbIndex b);

}  // namespace slotcar::keyspace
