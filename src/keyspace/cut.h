// Cut: one shard's keys as of one moment, while writers go on. Made when a snapshot begins and the
// shard is first touched after it (shard/execute.cc); given to the snapshot slice by slice.
//
// How it works
//   A walk goes over the tables in order of their number and, within each, of position (table.h): a
//   place that a key never changes. So one look at a key tells whether the walk has passed it. A
//   write to a key that it has not passed *saves* the key first: its old value is put aside as an
//   image (O(1) for big values: a pin, or a reading of a long string, into which the write then
//   goes all the same), or noted to have been absent; the walk will skip that name.
//
// Why each key of the moment is given exactly once, as it was
//   A key that no one writes is given by the walk: it passes every position once, whatever the
//   tables do meanwhile; entries that a merge of segments brings back before the walk's place are
//   left out by their position. A key that is written before the walk passes it is saved by the
//   first such write, under the token, before anything has changed; later writes find its name
//   noted, and so does the walk. A key written after the walk has passed it was given as it was. A
//   key that came after the moment is noted as absent when it comes. Contents that are flushed or
//   swapped away are kept, or followed to their new number, because the cut knows them by
//   themselves and not by the database that they happen to be in.
//
// Touched under the shard's token only; what `visit` has given out belongs to the snapshot.
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

// An entry of its own, in no table: what a key had. Big values are shared with the key (a pin). Of
// a long string there is a reading instead, and the entry has all but the value.
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

// Whether the value is so big that it is better pinned than copied or written out on the spot.
bool is_better_pinned(const Entry& entry);

class Cut {
 public:
  explicit Cut(const TableHasher& hasher) : hasher_(hasher) {}

  // --- for the keyspace
  void add(DbIndex db, Contents& contents);
  // Before a change of the key in these contents; `now` is what it has, null: nothing.
  void save(const Contents* contents, std::uint32_t table, const Key& key, const Entry* now);
  // These contents are thrown away: the cut keeps them until it is done.
  void keep(const std::shared_ptr<Contents>& contents);

  // --- for the snapshot
  struct Saved {
    DbIndex db;
    EntryImage image;
  };
  // What writers have put aside since the last time.
  std::vector<Saved> take_saved() { return std::exchange(saved_, {}); }
  // About `count` more entries; false: that was all. Then nothing more is ever saved.
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
  // Where the walk is: everything before is given out.
  std::size_t part_ = 0;
  std::uint32_t table_ = 0;
  std::uint64_t position_ = 0;
  std::unordered_set<Noted, Hash, Equal> noted_;
  std::vector<Saved> saved_;
};

}  // namespace slotcar::keyspace
