// Cut: one shard's keys as of one moment, while writers go on. Made when the shard is first touched
// after a snapshot has begun (shard/execute.cc); the snapshot reads it slice by slice.
//
// How it works
//   A walk goes over the tables by number and, within each, by position (table.h), which never
//   changes for a key. So one comparison tells whether the walk has passed a key. A write to a key
//   that it has not passed *saves* the key first: its old value is put aside as an image (O(1) for
//   big values: a pin, or a reading of a long string, which the write may then still change in
//   place), or the key is noted as absent. The walk skips that name.
//
// Why each key of the moment is delivered exactly once, as it was
//   A key that is not written is delivered by the walk, which passes every position once, whatever
//   the tables do meanwhile; entries that a merge of segments brings back before the walk's
//   position are left out by their position. A key that is written before the walk passes it is
//   saved by the first such write, under the token, before anything changes; later writes find its
//   name noted, and so does the walk. A key written after the walk has passed it was already
//   delivered. A key created after the moment is noted as absent. Contents that are flushed or
//   swapped are kept, or followed to their new number, because the cut refers to the contents and
//   not to the database that they are in.
//
// Touched under the shard's token only; what `visit` has delivered belongs to the snapshot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/long_reading.h"
#include "keyspace/database.h"
#include "keyspace/entry.h"
#include "keyspace/key.h"
#include "keyspace/table.h"

namespace slotcar::keyspace {

// A copy of an entry, in no table: what a key had. Big values are shared with the key (a pin). For
// a long string there is a reading instead, and the entry has everything but the value.
class EntryImage {
 public:
  explicit EntryImage(const Entry& entry);
  const Entry& entry() const { return *entry_; }
  base::LongReading* reading() const { return reading_.get(); }  // null: the entry has the value

 private:
  struct Release {
    void operator()(Entry* entry) const;
  };
  std::unique_ptr<Entry, Release> entry_;
  std::unique_ptr<base::LongReading> reading_;
};

// Whether the value is so big that pinning it is better than copying or encoding it at once.
bool is_better_pinned(const Entry& entry);

class Cut {
 public:
  explicit Cut(const TableHasher& hasher) : hasher_(hasher) {}

  // --- for the keyspace
  void add(DbIndex db, Contents& contents);
  // Called before a change of the key in these contents; `now` is its entry, null: none.
  void save(const Contents* contents, std::uint32_t table, const Key& key, const Entry* now);
  // These contents are flushed: the cut keeps them until it is done.
  void keep(const std::shared_ptr<Contents>& contents);

  // --- for the snapshot
  struct Saved {
    DbIndex db;
    EntryImage image;
  };
  // What writers have put aside since the last time.
  std::vector<Saved> take_saved() { return std::exchange(saved_, {}); }
  // Visits about `count` more entries; false: that was all. Nothing is saved after that.
  using Visit = std::function<void(DbIndex, const Entry&)>;
  bool visit(std::size_t count, const Visit& visit);
  bool done() const { return part_ == parts_.size(); }

 private:
  // What was in one database at the moment.
  struct Part {
    DbIndex db;
    Contents* contents;
    std::shared_ptr<Contents> kept;
  };
  struct Noted {
    std::string name;
    std::uint64_t hash;
    std::size_t part;
  };
  struct NotedView {
    std::string_view name;
    std::uint64_t hash;
    std::size_t part;
  };
  struct Hash {
    using is_transparent = void;
    template <class K>
    std::size_t operator()(const K& key) const {
      return key.hash ^ key.part;
    }
  };
  struct Equal {
    using is_transparent = void;
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      return a.hash == b.hash && a.part == b.part && a.name == b.name;
    }
  };
  bool passed(std::size_t part, std::uint32_t table, std::uint64_t hash) const;
  static std::uint64_t position(std::uint64_t hash) { return hash >> (64 - Table::kPositionBits); }

  TableHasher hasher_;
  std::vector<Part> parts_;
  // The position of the walk: everything before it is delivered.
  std::size_t part_ = 0;
  std::uint32_t table_ = 0;
  std::uint64_t position_ = 0;
  std::unordered_set<Noted, Hash, Equal> noted_;
  std::vector<Saved> saved_;
};

}  // namespace slotcar::keyspace
