// Stream: a log of entries with ascending ids, and the consumer groups that read it. Unlike other
// collections a stream may be empty, and it is always an object, never packed bytes.
//
// A pin of a stream shares its tree of entries and its groups; a writer copies what it changes: the
// table of groups, the one group, and the nodes it touches of the group's trees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "types/cell.h"
#include "types/settings.h"
#include "types/shared_part.h"
#include "types/stream/consumer_group.h"
#include "types/stream/stream_id.h"
#include "types/stream/stream_leaf.h"
#include "types/tree/tree.h"

namespace slotcar::types {

class StreamObject final : public TreeObject {
 public:
  using Groups = std::map<std::string, SharedPart<ConsumerGroup>, std::less<>>;

  std::unique_ptr<TreeObject> share() const override;
  std::size_t size() const override { return entries_.size(); }
  std::size_t footprint() const override { return sizeof(*this) + entries_.bytes() + group_bytes_; }
  Encoding encoding() const override { return Encoding::stream; }
  bool same_version(const TreeObject& earlier) const override;
  bool free_some(std::size_t& nodes) override;

  const StreamId& last_id() const { return last_id_; }    // the last id ever assigned
  const StreamId& first_id() const { return first_id_; }  // of the first entry; 0-0: there is none
  const StreamId& max_deleted_id() const { return max_deleted_id_; }
  std::uint64_t entries_added() const { return entries_added_; }  // ever
  StreamId last_entry_id() const;                                 // 0-0: there is none
  bool has(const StreamId& id) const;
  // The number of entries before this id.
  std::size_t count_before(const StreamId& id) const;
  // The number of entries between the two, both included.
  std::size_t count_between(const StreamId& from, const StreamId& to) const;
  // Calls visit(leaf), in order: DUMP and snapshots write them as they are.
  template <class Visit>
  void for_each_leaf(const Visit& visit) const;
  std::size_t leaves() const { return leaves_; }

  // --- groups
  std::size_t groups() const { return groups_ ? groups_->size() : 0; }
  const ConsumerGroup* group(std::string_view name) const;  // null: there is none
  // Calls visit(name, group) in the order of their names.
  template <class Visit>
  void for_each_group(const Visit& visit) const;
  // How many of all entries ever added are at or before this id, if that is known (else
  // kUnknownReads): it is if the id is the first or the last, and nothing was deleted after it.
  std::int64_t reads_at(const StreamId& id) const;
  // Whether an entry at or after `from` may have been deleted.
  bool is_torn_after(const StreamId& from) const;
  // How many entries the group has not read yet, if that is known.
  std::optional<std::int64_t> lag(const ConsumerGroup& group) const;

 private:
  friend class Stream;
  friend class StreamCursor;
  using Path = Tree<StreamLeaf>::Path;

  bool seek(Path& path, const StreamId& id) const {
    return entries_.find(path, [&](const StreamId& sep, const TreeNode&) { return id < sep; });
  }
  bool find(Path& path, StreamLeaf::Record& record, const StreamId& id) const;
  void find_first_id();

  Tree<StreamLeaf> entries_;
  std::size_t leaves_ = 0;
  StreamId last_id_;
  StreamId first_id_;
  StreamId max_deleted_id_;
  std::uint64_t entries_added_ = 0;
  SharedPart<Groups> groups_;
  std::size_t group_bytes_ = 0;
  // Where the last entry was written, and in which leaf: prefetched before the descent through the
  // tree. Only hints, never dereferenced, so they may dangle.
  const void* leaf_hint_ = nullptr;
  const void* end_hint_ = nullptr;
};

// Walks over the living entries between two ids, both included, in either direction.
//   for (StreamCursor at(stream, from, to); at.found(); at.next()) ...
class StreamCursor {
 public:
  StreamCursor(const StreamObject& stream, const StreamId& from, const StreamId& to,
               bool backwards = false);
  bool found() const { return found_; }
  void next();
  const StreamId& id() const { return record_.id; }
  std::size_t fields() const { return record_.fields; }
  // Calls visit(field, value), both Elements.
  template <class Visit>
  void for_each_field(const Visit& visit) const {
    path_.leaf().for_each_field(record_, visit);
  }

 private:
  void begin();
  bool step();  // to the next entry of the tree, deleted or not
  void settle();

  const StreamObject* stream_;
  StreamId from_;
  StreamId to_;
  bool backwards_;
  bool found_ = false;
  Tree<StreamLeaf>::Path path_;
  StreamLeaf::Record record_;
};

struct StreamTrim {
  enum class By : std::uint8_t { nothing, length, id } by = By::nothing;
  bool whole_leaves = false;     // only whole leaves are removed (~)
  std::uint64_t max_length = 0;  // by length
  StreamId min_id;               // by id: the first to keep
  std::uint64_t limit = 0;       // entries to remove at most; 0: any
};

class Stream {
 public:
  // Longer entries do not fit into a listpack, as Redis limits it.
  static constexpr std::size_t kEntryBytesMax = std::size_t{1} << 30;

  Stream(Cell& cell, const Settings& settings) : cell_(&cell), settings_(&settings) {}

  // Null: the cell is empty.
  const StreamObject* get() const { return object(); }
  // Makes an empty stream if the cell is empty.
  void make();

  // Requires that the id is greater than last_id, the fields fit, and the stream exists.
  void add(const StreamId& id, StreamFields fields);
  bool erase(const StreamId& id);  // false: there is no such entry
  std::size_t trim(const StreamTrim& trim);
  void set_ids(const StreamId& last_id, const StreamId& max_deleted_id, std::uint64_t added);
  // Appends an untrusted leaf behind all others; false if it is invalid or does not fit there.
  bool append_leaf(const StreamId& master, std::string_view listpack);

  // --- groups
  bool make_group(std::string_view name, const StreamId& last_id, std::int64_t entries_read);
  bool remove_group(std::string_view name);
  // Calls change(group); the group must exist.
  template <class Change>
  auto change_group(std::string_view name, const Change& change);

 private:
  StreamObject* object() const { return static_cast<StreamObject*>(cell_->tree()); }
  bool fits(const StreamLeaf& leaf, StreamFields fields) const;
  void update(StreamObject::Path& path, StreamLeaf* leaf);

  Cell* cell_;
  const Settings* settings_;
};

// The automatic id: the time, or the successor of the last id if that is not earlier. False: the
// stream has reached the last possible id.
bool next_stream_id(const StreamId& last, std::int64_t now, StreamId& id);

template <class Visit>
void StreamObject::for_each_leaf(const Visit& visit) const {
  Path path;
  for (bool found = entries_.first(path); found; found = entries_.next(path)) visit(path.leaf());
}

template <class Visit>
void StreamObject::for_each_group(const Visit& visit) const {
  if (!groups_) return;
  for (const auto& [name, group] : *groups_) visit(name, *group);
}

template <class Change>
auto Stream::change_group(std::string_view name, const Change& change) {
  StreamObject& stream = *object();
  ConsumerGroup& group = stream.groups_.own().find(name)->second.own();
  // Memory is counted whichever way the change returns.
  struct Counted {
    std::size_t& total;
    const ConsumerGroup& of;
    std::size_t before;
    ~Counted() { total += of.footprint() - before; }
  } counted{stream.group_bytes_, group, group.footprint()};
  return change(group);
}

}  // namespace slotcar::types
