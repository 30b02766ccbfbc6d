// Effects: what a call changed, as deterministic commands that name one key each wherever that
// takes no more space. Written by the keyspace only, while the tokens are held; the log takes it
// from here. With no log the payload is not built; the number of changes is always counted.
//
// An argument of megabytes is not copied into the payload, which refers to its buffer
// (base/long_part.h), because the record is made under a token.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/growing_bytes.h"
#include "base/ids.h"
#include "base/long_part.h"
#include "base/shared_bytes.h"
#include "types/string_value.h"

namespace slotcar::keyspace {

class Keyspace;

// Effects that were made before any token was taken (keyspace/whole_effects.h).
struct PreparedEffects {
  base::SharedBytes text;
  std::uint64_t changes = 0;
};

class Effects {
 public:
  // Whether the payload is needed.
  void set_recording(bool on) { recording_ = on; }
  bool recording() const { return recording_; }

  // One effect in a database: a command as RESP.
  void add(DbIndex db, std::initializer_list<std::string_view> command);  // also ends a joined line
  void add_words(DbIndex db, std::span<const std::string_view> command);
  // SET key value, the most frequent effect.
  void add_set(DbIndex db, std::string_view key, std::string_view value);
  // One effect with an argument whose buffer may be referred to. If the buffer becomes a value, its
  // owner may still write into it afterwards.
  using Words = std::initializer_list<std::string_view>;
  void add(DbIndex db, Words before, const types::StringInput& argument, Words after = {});
  // Part of an effect that is counted once, by another of its parts.
  void add_part(DbIndex db, std::initializer_list<std::string_view> command);
  void add_part(DbIndex db, Words before, const types::StringInput& argument, Words after);
  // Effects in that database; a long text is referred to.
  void add_prepared(DbIndex db, const PreparedEffects& prepared);
  // Begins effects that become such prepared ones, all in one database.
  void begin_preparing(DbIndex db) {
    clear();
    recording_ = true;
    db_ = db;
  }
  PreparedEffects take_prepared(base::Reclaimer* reclaimer);
  // One effect whose text is not needed.
  void count() { ++changes_; }

  // One effect as `name key argument...`, joined to the line before if that has the same owner and
  // the same name: HSET k a 1, HSET k b 2 is recorded as HSET k a 1 b 2.
  void join(const void* owner, DbIndex db, std::string_view name, std::string_view key, Words more);
  void end_line() {  // nothing more joins it
    if (line_words_ != 0) write_line();
  }

  // Whether the log needs the changed keys (under `appendfsync always`, where no client may see a
  // change before it is durable).
  void set_notes_keys(bool on) { notes_keys_ = on; }
  bool notes_keys() const { return notes_keys_; }
  struct NotedKey {
    Keyspace* space;
    std::uint64_t hash;
  };
  void note_key(Keyspace& space, std::uint64_t hash) { noted_.push_back({&space, hash}); }
  // All keys of a shard, as a flush changes them.
  void note_all_keys(Keyspace& space) { noted_whole_.push_back(&space); }
  const std::vector<NotedKey>& noted() const { return noted_; }
  const std::vector<Keyspace*>& noted_whole() const { return noted_whole_; }

  std::uint64_t changes() const { return changes_; }
  // Without its long parts.
  std::string_view payload() {
    end_line();
    return payload_.view();
  }
  bool has_long_parts() const { return !parts_.empty(); }
  const base::LongParts& long_parts() const { return parts_; }
  base::LongParts take_long_parts() { return std::exchange(parts_, {}); }
  void clear() {
    changes_ = 0;
    payload_.clear();
    line_.clear();
    line_words_ = 0;
    parts_.clear();
    db_ = DbIndex{UINT16_MAX};
    noted_.clear();
    noted_whole_.clear();
  }

 private:
  bool recording_ = false;
  bool notes_keys_ = false;
  std::vector<NotedKey> noted_;
  std::vector<Keyspace*> noted_whole_;
  std::uint64_t changes_ = 0;
  DbIndex db_{UINT16_MAX};  // the last database that the payload selected
  base::GrowingBytes payload_;
  base::LongParts parts_;  // of the payload

  void select(DbIndex db) {
    if (db != db_) write_select(db);
  }
  void write_select(DbIndex db);
  void write_line();
  // The joined line that may still grow; its count is written when it ends.
  const void* line_owner_ = nullptr;
  std::size_t line_words_ = 0;
  std::string line_name_;
  std::string line_key_;
  base::GrowingBytes line_;
};

}  // namespace slotcar::keyspace
