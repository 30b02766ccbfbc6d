#include "types/stream/stream_leaf.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "base/assert.h"
#include "base/memory.h"

namespace slotcar::types {

namespace {

constexpr std::int64_t kDeleted = 1;
constexpr std::int64_t kSameFields = 2;

constexpr std::size_t kHeaderBytes = ListpackView::kHeaderBytes;
constexpr std::uint8_t kEnd = 0xff;
constexpr std::size_t kUncounted = UINT16_MAX;
// The bytes of an element besides its text: the head of its encoding and its back length.
constexpr std::size_t kAroundElement = 10;
// A new leaf has room for some entries like its first, so that it is not reallocated at once.
constexpr std::size_t kEntriesExpected = 4;

template <class T>
T load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <class T>
void store(char* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

// Numbers up to this are one byte, and their back length another: most of those in an entry.
constexpr std::int64_t kSmallMax = 127;

bool is_small(char first) {
  return static_cast<std::uint8_t>(first) <= kSmallMax;
}

char* put_number(char* out, std::int64_t number) {
  if (number < 0 || number > kSmallMax) {
    return Listpack::store(out, Encoded(Element::of(number)));
  }
  out[0] = static_cast<char>(number);
  out[1] = 1;
  return out + 2;
}

char* put_text(char* out, std::string_view text) {
  return Listpack::store(out, Encoded(text));
}

// An upper bound of an entry's size.
std::size_t bound(StreamFields fields) {
  std::size_t total = 5 * kAroundElement;
  for (const std::string_view text : fields) total += text.size() + kAroundElement;
  return total;
}

// Updates the header for what was written between the old end and `end`.
void close(char* pack, char* end, std::size_t elements) {
  *end++ = static_cast<char>(kEnd);
  store(pack, static_cast<std::uint32_t>(end - pack));
  const std::size_t count = load<std::uint16_t>(pack + 4);
  store(pack + 4, static_cast<std::uint16_t>(std::min(kUncounted, count + elements)));
}

std::int64_t difference(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::int64_t>(a - b);
}

}  // namespace

// --- making ------------------------------------------------------------------------------------

StreamLeaf* StreamLeaf::allocate(const StreamId& master, std::size_t bytes) {
  void* memory = base::allocate_bytes(sizeof(StreamLeaf) + bytes);
  auto* leaf = new (memory) StreamLeaf();
  leaf->master_ = master;
  leaf->capacity_ = static_cast<std::uint32_t>(base::usable_bytes(memory) - sizeof(StreamLeaf));
  return leaf;
}

void StreamLeaf::reserve(StreamLeaf*& leaf, std::size_t bytes) {
  if (bytes <= leaf->capacity_) [[likely]]
    return;
  ASSERT(bytes <= UINT32_MAX / 2);
  // Doubled, so that a growing leaf is rarely reallocated; the excess is returned when it is full.
  const std::size_t wanted = std::max(bytes, std::size_t{leaf->capacity_} * 2);
  void* memory = base::reallocate_bytes(leaf, sizeof(StreamLeaf) + wanted);
  leaf = static_cast<StreamLeaf*>(memory);
  leaf->capacity_ = static_cast<std::uint32_t>(base::usable_bytes(memory) - sizeof(StreamLeaf));
}

void StreamLeaf::shrink(StreamLeaf*& leaf) {
  const std::size_t wanted = leaf->used();
  if (leaf->capacity_ - wanted <= leaf->capacity_ / 8) return;
  StreamLeaf* smaller = allocate(leaf->master_, wanted);
  smaller->live_ = leaf->live_;
  std::memcpy(smaller->bytes(), leaf->bytes(), wanted);
  free(leaf);
  leaf = smaller;
}

StreamLeaf* StreamLeaf::make(const StreamId& id, StreamFields fields) {
  StreamLeaf* leaf = allocate(id, kHeaderBytes + bound(fields) * kEntriesExpected);
  char* const pack = leaf->bytes();
  store(pack, std::uint32_t{0});
  store(pack + 4, std::uint16_t{0});
  char* out = pack + kHeaderBytes;
  out = put_number(out, 1);
  out = put_number(out, 0);
  out = put_number(out, static_cast<std::int64_t>(fields.size() / 2));
  for (std::size_t i = 0; i < fields.size(); i += 2) out = put_text(out, fields[i]);
  out = put_number(out, 0);
  close(pack, out, 4 + fields.size() / 2);
  leaf->live_ = 1;
  put_entry(leaf, id, fields, true);
  return leaf;
}

StreamLeaf* StreamLeaf::from_outside(const StreamId& master, std::string_view listpack) {
  std::size_t live = 0;
  if (listpack.size() > UINT32_MAX / 2 || !is_valid(master, listpack, live) || live == 0) {
    return nullptr;
  }
  StreamLeaf* leaf = allocate(master, listpack.size());
  std::memcpy(leaf->bytes(), listpack.data(), listpack.size());
  leaf->live_ = static_cast<std::uint32_t>(live);
  return leaf;
}

StreamLeaf* StreamLeaf::clone(const StreamLeaf& leaf) {
  StreamLeaf* copy = allocate(leaf.master_, leaf.capacity_);
  copy->live_ = leaf.live_;
  std::memcpy(copy->bytes(), leaf.bytes(), leaf.used());
  return copy;
}

void StreamLeaf::free(StreamLeaf* leaf) {
  base::free_bytes(leaf);
}

StreamLeaf* StreamLeaf::split(StreamLeaf*&, bool, StreamId&) {
  UNREACHABLE();
}

void StreamLeaf::join(StreamLeaf*&, const StreamLeaf&) {
  UNREACHABLE();
}

// --- looking -----------------------------------------------------------------------------------

std::size_t StreamLeaf::used() const {
  return load<std::uint32_t>(bytes());
}

ListpackView StreamLeaf::pack() const {
  return ListpackView({bytes(), used()});
}

// The two counts at the beginning are nearly always small; then everything is at a fixed place.
bool StreamLeaf::has_small_counts() const {
  return is_small(bytes()[kHeaderBytes]) && is_small(bytes()[kHeaderBytes + 2]);
}

std::size_t StreamLeaf::deleted() const {
  if (has_small_counts()) return static_cast<std::uint8_t>(bytes()[kHeaderBytes + 2]);
  const ListpackView view = pack();
  return static_cast<std::size_t>(view.at(view.next(view.first())).number);
}

StreamLeaf::Place StreamLeaf::field_count_place() const {
  if (has_small_counts()) return kHeaderBytes + 4;
  const ListpackView view = pack();
  return view.next(view.next(view.first()));
}

StreamLeaf::Place StreamLeaf::master_fields() const {
  return pack().next(field_count_place());
}

StreamLeaf::Place StreamLeaf::first_place() const {
  const ListpackView view = pack();
  Place at = field_count_place();
  const std::int64_t fields = view.at(at).number;
  for (std::int64_t i = 0; i < fields + 1; ++i) at = view.next(at);
  return view.next(at);
}

bool StreamLeaf::read(Place at, Record& record) const {
  if (at == ListpackView::kNone) return false;
  const ListpackView view = pack();
  record.at = at;
  const std::int64_t flags = view.at(at).number;
  at = view.next(at);
  record.id.ms = master_.ms + static_cast<std::uint64_t>(view.at(at).number);
  at = view.next(at);
  record.id.seq = master_.seq + static_cast<std::uint64_t>(view.at(at).number);
  at = view.next(at);
  record.deleted = flags & kDeleted;
  record.same_fields = flags & kSameFields;
  if (record.same_fields) {
    record.fields = static_cast<std::uint32_t>(view.at(field_count_place()).number);
  } else {
    record.fields = static_cast<std::uint32_t>(view.at(at).number);
    at = view.next(at);
  }
  record.body = at;
  return true;
}

bool StreamLeaf::first(Record& record) const {
  return read(first_place(), record);
}

bool StreamLeaf::next(Record& record) const {
  const ListpackView view = pack();
  Place at = record.body;
  const std::uint32_t pieces = record.same_fields ? record.fields : record.fields * 2;
  for (std::uint32_t i = 0; i < pieces; ++i) at = view.next(at);
  return read(view.next(at), record);
}

bool StreamLeaf::last(Record& record) const {
  const ListpackView view = pack();
  Place at = view.last();
  for (std::int64_t pieces = view.at(at).number; pieces > 0; --pieces) at = view.prev(at);
  return read(at, record);
}

bool StreamLeaf::prev(Record& record) const {
  const ListpackView view = pack();
  Place at = view.prev(record.at);
  std::int64_t pieces = view.at(at).number;
  if (pieces == 0) return false;  // the end of the master entry
  for (; pieces > 0; --pieces) at = view.prev(at);
  return read(at, record);
}

StreamId StreamLeaf::last_id() const {
  Record record;
  const bool found = last(record);
  ASSERT(found);
  return record.id;
}

// --- changing ----------------------------------------------------------------------------------

bool StreamLeaf::has_master_fields(StreamFields fields) const {
  const ListpackView view = pack();
  const std::string_view all = view.bytes();
  Place at = field_count_place();
  if (view.at(at).number != static_cast<std::int64_t>(fields.size() / 2)) return false;
  for (std::size_t i = 0; i < fields.size(); i += 2) {
    at = view.next(at);
    if (!Encoded(fields[i]).matches(all.data() + at, all.size() - at)) return false;
  }
  return true;
}

void StreamLeaf::put_entry(StreamLeaf*& leaf, const StreamId& id, StreamFields fields, bool same) {
  reserve(leaf, leaf->used() + bound(fields));
  char* const pack = leaf->bytes();
  char* out = pack + leaf->used() - 1;
  const std::size_t count = fields.size() / 2;
  const std::size_t pieces = same ? count + 3 : 2 * count + 4;
  out = put_number(out, same ? kSameFields : 0);
  out = put_number(out, difference(id.ms, leaf->master_.ms));
  out = put_number(out, difference(id.seq, leaf->master_.seq));
  if (!same) out = put_number(out, static_cast<std::int64_t>(count));
  for (std::size_t i = 0; i < fields.size(); i += 2) {
    if (!same) out = put_text(out, fields[i]);
    out = put_text(out, fields[i + 1]);
  }
  out = put_number(out, static_cast<std::int64_t>(pieces));
  close(pack, out, pieces + 1);
}

void StreamLeaf::append(StreamLeaf*& leaf, const StreamId& id, StreamFields fields) {
  const bool same = leaf->has_master_fields(fields);
  put_entry(leaf, id, fields, same);
  set_counts(leaf, leaf->live_ + 1, leaf->deleted());
}

// Writes the first two elements. They may become longer or shorter; then all that follows moves.
void StreamLeaf::set_counts(StreamLeaf*& leaf, std::size_t live, std::size_t deleted) {
  leaf->live_ = static_cast<std::uint32_t>(live);
  if (live <= kSmallMax && deleted <= kSmallMax && leaf->has_small_counts()) [[likely]] {
    leaf->bytes()[kHeaderBytes] = static_cast<char>(live);
    leaf->bytes()[kHeaderBytes + 2] = static_cast<char>(deleted);
    return;
  }
  const Encoded first(Element::of(static_cast<std::int64_t>(live)));
  const Encoded second(Element::of(static_cast<std::int64_t>(deleted)));
  const std::size_t after = leaf->field_count_place();
  const std::size_t fresh =
      kHeaderBytes + Listpack::stored_size(first) + Listpack::stored_size(second);
  if (fresh != after) {
    const std::size_t used = leaf->used();
    reserve(leaf, used - after + fresh);
    std::memmove(leaf->bytes() + fresh, leaf->bytes() + after, used - after);
    store(leaf->bytes(), static_cast<std::uint32_t>(used - after + fresh));
  }
  Listpack::store(Listpack::store(leaf->bytes() + kHeaderBytes, first), second);
}

void StreamLeaf::mark_deleted(StreamLeaf*& leaf, const Record& record) {
  ASSERT(!record.deleted);
  // Flags are small numbers, which are their own encoding.
  leaf->bytes()[record.at] = static_cast<char>(leaf->bytes()[record.at] | kDeleted);
  set_counts(leaf, leaf->live_ - 1, leaf->deleted() + 1);
}

std::size_t StreamLeaf::mark_front(StreamLeaf*& leaf, std::size_t max, const StreamId& up_to) {
  std::size_t marked = 0;
  Record record;
  for (bool found = leaf->first(record); found && marked < max && record.id <= up_to;
       found = leaf->next(record)) {
    if (record.deleted) continue;
    leaf->bytes()[record.at] = static_cast<char>(leaf->bytes()[record.at] | kDeleted);
    ++marked;
  }
  if (marked != 0) set_counts(leaf, leaf->live_ - marked, leaf->deleted() + marked);
  return marked;
}

// --- bytes from outside ------------------------------------------------------------------------

namespace {

// Walks over a valid listpack whose contents are not trusted.
class Checker {
 public:
  explicit Checker(std::string_view bytes) : view_(bytes), at_(view_.first()) {}

  bool ok() const { return ok_; }
  bool at_end() const { return at_ == ListpackView::kNone; }
  std::int64_t integer() {
    if (at_end()) return fail();
    const Element element = view_.at(at_);
    at_ = view_.next(at_);
    return element.is_integer ? element.number : fail();
  }
  // A count of items that must all still follow.
  std::int64_t count() {
    const std::int64_t number = integer();
    return number < 0 || number > static_cast<std::int64_t>(view_.bytes().size()) ? fail() : number;
  }
  void skip(std::int64_t elements) {
    for (; elements > 0 && ok_; --elements) {
      if (at_end()) {
        fail();
        return;
      }
      at_ = view_.next(at_);
    }
  }

 private:
  std::int64_t fail() {
    ok_ = false;
    return 0;
  }

  ListpackView view_;
  ListpackView::Place at_;
  bool ok_ = true;
};

}  // namespace

bool StreamLeaf::is_valid(const StreamId& master, std::string_view listpack, std::size_t& live) {
  if (!ListpackView::is_valid(listpack)) return false;
  Checker check(listpack);
  const std::int64_t told_live = check.count();
  const std::int64_t told_deleted = check.count();
  const std::int64_t master_fields = check.count();
  check.skip(master_fields);
  if (check.integer() != 0 || !check.ok()) return false;

  std::int64_t counted_live = 0;
  std::int64_t counted_deleted = 0;
  StreamId before;
  bool any = false;
  while (check.ok() && !check.at_end()) {
    const std::int64_t flags = check.integer();
    // Flags are read and written in place: they must be one byte.
    if (flags < 0 || flags > (kDeleted | kSameFields)) return false;
    StreamId id;
    id.ms = master.ms + static_cast<std::uint64_t>(check.integer());
    id.seq = master.seq + static_cast<std::uint64_t>(check.integer());
    if (id < master || (any && id <= before)) return false;
    before = id;
    any = true;
    const bool same = flags & kSameFields;
    const std::int64_t fields = same ? master_fields : check.count();
    const std::int64_t body = same ? fields : fields * 2;
    check.skip(body);
    if (check.integer() != body + (same ? 3 : 4)) return false;
    ++(flags & kDeleted ? counted_deleted : counted_live);
  }
  live = static_cast<std::size_t>(counted_live);
  return check.ok() && counted_live == told_live && counted_deleted == told_deleted;
}

}  // namespace slotcar::types
