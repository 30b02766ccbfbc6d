// StreamLeaf: some consecutive entries of a stream in one listpack, laid out as Redis lays out the
// nodes of its streams, bit for bit, because DUMP and snapshots write the listpacks as they are:
//
//   master:  count, deleted, number of fields, field ..., 0
//   entry:   flags, ms, seq, [number of fields, field, value ...] or [value ...], pieces
//
// `count` is the number of living entries, `deleted` the number of entries marked as deleted. The
// id of an entry is the leaf's master id plus the differences ms and seq. An entry whose fields are
// the master's has a flag and omits them. `pieces` is how many elements of the entry precede it, so
// that the leaf can be read backwards.
//
// A deleted entry stays, marked, until its leaf has no living entry; then the leaf is freed.
// Leaves are never split or joined; a new one begins where the last is full (Stream::add).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "types/element.h"
#include "types/packed/listpack.h"
#include "types/stream/stream_id.h"
#include "types/tree/tree_node.h"

namespace slotcar::types {

// Field, value, field, value...
using StreamFields = std::span<const std::string_view>;

class StreamLeaf : public TreeNode {
 public:
  using Separator = StreamId;
  using Place = ListpackView::Place;

  // One entry, living or deleted. Valid until the leaf changes.
  struct Record {
    StreamId id;
    Place at = ListpackView::kNone;    // its flags
    Place body = ListpackView::kNone;  // its first field, or its first value
    std::uint32_t fields = 0;
    bool deleted = false;
    bool same_fields = false;  // those of the master
  };

  // With its first entry, whose id is the master id.
  static StreamLeaf* make(const StreamId& id, StreamFields fields);
  // An untrusted listpack; null if it is not a node of a stream, or has no living entry.
  static StreamLeaf* from_outside(const StreamId& master, std::string_view listpack);
  static StreamLeaf* clone(const StreamLeaf& leaf);
  static void free(StreamLeaf* leaf);

  const StreamId& master_id() const { return master_; }
  ListpackView pack() const;
  std::size_t items() const { return live_; }  // living entries
  std::size_t deleted() const;
  std::size_t footprint() const { return sizeof(StreamLeaf) + capacity_; }
  StreamId last_id() const;  // of the last entry, deleted or not

  // --- looking. False: there is none.
  bool first(Record& record) const;
  bool last(Record& record) const;
  bool next(Record& record) const;
  bool prev(Record& record) const;
  // Calls visit(field, value), both Elements, for each.
  template <class Visit>
  void for_each_field(const Record& record, const Visit& visit) const;

  // --- changing. Each may move the leaf.
  static void append(StreamLeaf*& leaf, const StreamId& id, StreamFields fields);
  static void mark_deleted(StreamLeaf*& leaf, const Record& record);
  // Marks living entries as deleted from the front, at most `max`, none after `up_to`; how many.
  static std::size_t mark_front(StreamLeaf*& leaf, std::size_t max, const StreamId& up_to);
  // Sets the number of living entries to 0, for a leaf that is freed as a whole.
  void forget_all() { live_ = 0; }
  // Frees the spare room for more entries.
  static void shrink(StreamLeaf*& leaf);

  // --- for the tree
  bool is_full() const { return false; }
  bool is_sparse() const { return false; }
  static StreamLeaf* split(StreamLeaf*& leaf, bool rightmost, StreamId& at);
  static bool fit_together(const StreamLeaf&, const StreamLeaf&) { return false; }
  static void join(StreamLeaf*& left, const StreamLeaf& right);

 private:
  char* bytes() { return reinterpret_cast<char*>(this + 1); }
  const char* bytes() const { return reinterpret_cast<const char*>(this + 1); }
  std::size_t used() const;

  static StreamLeaf* allocate(const StreamId& master, std::size_t bytes);
  static void reserve(StreamLeaf*& leaf, std::size_t bytes);
  static bool is_valid(const StreamId& master, std::string_view listpack, std::size_t& live);
  bool has_master_fields(StreamFields fields) const;
  bool has_small_counts() const;
  Place field_count_place() const;
  Place first_place() const;
  Place master_fields() const;  // the first of them
  bool read(Place at, Record& record) const;
  static void put_entry(StreamLeaf*& leaf, const StreamId& id, StreamFields fields, bool same);
  static void set_counts(StreamLeaf*& leaf, std::size_t live, std::size_t deleted);

  StreamId master_;
  std::uint32_t capacity_ = 0;  // bytes behind the header
  std::uint32_t live_ = 0;
};

template <class Visit>
void StreamLeaf::for_each_field(const Record& record, const Visit& visit) const {
  const ListpackView view = pack();
  Place at = record.body;
  Place name = record.same_fields ? master_fields() : ListpackView::kNone;
  for (std::uint32_t i = 0; i < record.fields; ++i) {
    Element field;
    if (record.same_fields) {
      field = view.at(name);
      name = view.next(name);
    } else {
      field = view.at(at);
      at = view.next(at);
    }
    visit(field, view.at(at));
    at = view.next(at);
  }
}

}  // namespace slotcar::types
