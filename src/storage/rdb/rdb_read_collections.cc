// Lists, sets, sorted sets and hashes: as single strings, or packed in each of the ways that Redis
// has had.
#include <optional>
#include <string>

#include "base/numbers.h"
#include "storage/rdb/checked_listpack.h"
#include "storage/rdb/rdb_reader.h"
#include "storage/rdb/ziplist.h"
#include "storage/rdb/zipmap.h"
#include "types/hash.h"
#include "types/list.h"
#include "types/set.h"
#include "types/sorted_set.h"

namespace slotcar::storage {

namespace {

using types::Element;

// Walks through packed elements one by one or in pairs, until `take` returns false; returns whether
// all was valid.
template <class Walk, class Take>
bool each(Walk walk, const Take& take) {
  Element element;
  while (walk.next(element)) {
    if (!take(element)) return false;
  }
  return walk.is_valid();
}

template <class Walk, class Take>
bool each_pair(Walk walk, const Take& take) {
  Element first;
  Element second;
  while (walk.next(first)) {
    if (!walk.next(second) || !take(first, second)) return false;
  }
  return walk.is_valid();
}

}  // namespace

// --- lists -------------------------------------------------------------------------------------

namespace {

class ListBuilder {
 public:
  ListBuilder(types::OwnCell& cell, const RdbSurroundings& around) : list_(cell, around.settings) {}

  bool take(std::string_view text) {
    if (text.size() > types::kListElementBytesMax) return false;
    list_.push(types::ListEnd::tail, {&text, 1});
    return true;
  }
  bool operator()(const Element& element) {
    Element::Scratch scratch;
    return take(element.view(scratch));
  }
  std::size_t size() const { return list_.size(); }

 private:
  types::List list_;
};

bool read_node(rdb::Kind kind, RdbInput& in, std::string& scratch, ListBuilder& list) {
  const bool may_be_plain = kind == rdb::Kind::list_quicklist_2;
  const std::uint64_t container = may_be_plain ? in.length() : rdb::kNodePacked;
  if (container != rdb::kNodePlain && container != rdb::kNodePacked) return false;
  const std::string_view bytes = in.string(scratch);
  if (in.failed()) return false;
  if (container == rdb::kNodePlain) return list.take(bytes);
  const auto take = [&](const Element& element) { return list(element); };
  // Old servers could write empty nodes; a list of only those is empty.
  return may_be_plain ? each(ListpackWalk(bytes), take) : each(ZiplistWalk(bytes), take);
}

}  // namespace

bool read_list(rdb::Kind kind, RdbInput& in, const RdbSurroundings& around, types::OwnCell& cell) {
  ListBuilder list(cell, around);
  std::string scratch;
  if (kind == rdb::Kind::list_ziplist) {
    if (!read_node(kind, in, scratch, list)) return false;
    return list.size() > 0;
  }
  for (std::size_t left = in.count(1); left > 0; --left) {
    if (kind == rdb::Kind::list) {
      const std::string_view text = in.string(scratch);
      if (in.failed() || !list.take(text)) return false;
    } else if (!read_node(kind, in, scratch, list)) {
      return false;
    }
  }
  return !in.failed() && list.size() > 0;
}

// --- sets --------------------------------------------------------------------------------------

bool read_set(rdb::Kind kind, RdbInput& in, const RdbSurroundings& around, types::OwnCell& cell) {
  types::Set set(cell, around.settings);
  std::string scratch;
  if (kind == rdb::Kind::set) {
    for (std::size_t left = in.count(1); left > 0; --left) {
      const std::string_view member = in.string(scratch);
      if (in.failed() || !set.add(Element::of(member))) return false;
    }
    return !in.failed() && set.size() > 0;
  }
  const std::string_view bytes = in.string(scratch);
  if (in.failed()) return false;
  if (kind == rdb::Kind::set_listpack) {
    return each(ListpackWalk(bytes), [&](const Element& member) { return set.add(member); }) &&
           set.size() > 0;
  }
  if (!types::IntsetView::is_valid(bytes)) return false;
  const types::IntsetView numbers(bytes);
  for (std::size_t i = 0; i < numbers.size(); ++i) set.add(Element::of(numbers.at(i)));
  return true;
}

// --- sorted sets -------------------------------------------------------------------------------

namespace {

std::optional<double> score_of(const Element& element) {
  if (element.is_integer) return static_cast<double>(element.number);
  return base::parse_double(element.text);
}

// Takes the pairs of a packed sorted set, which must come in its order.
class PackedScoresBuilder {
 public:
  explicit PackedScoresBuilder(types::SortedSet& set) : set_(set) {}

  bool operator()(const Element& member, const Element& score_text) {
    const auto score = score_of(score_text);
    Element::Scratch scratch;
    const std::string_view name = member.view(scratch);
    if (!score || (any_ && !lies_behind(*score, name))) return false;
    any_ = true;
    last_score_ = *score;
    last_name_ = name;
    return set_.add(*score, name) == types::AddOutcome::added;
  }

 private:
  bool lies_behind(double score, std::string_view name) const {
    return score > last_score_ || (score == last_score_ && name > last_name_);
  }

  types::SortedSet& set_;
  bool any_ = false;
  double last_score_ = 0;
  std::string last_name_;
};

}  // namespace

bool read_sorted_set(rdb::Kind kind, RdbInput& in, const RdbSurroundings& around,
                     types::OwnCell& cell) {
  types::SortedSet set(cell, around.settings);
  std::string scratch;
  if (kind == rdb::Kind::sorted_set || kind == rdb::Kind::sorted_set_2) {
    for (std::size_t left = in.count(2); left > 0; --left) {
      const std::string_view member = in.string(scratch);
      const double score = kind == rdb::Kind::sorted_set ? in.text_score() : in.binary_score();
      if (in.failed() || set.add(score, member) != types::AddOutcome::added) return false;
    }
    return !in.failed() && set.size() > 0;
  }
  const std::string_view bytes = in.string(scratch);
  if (in.failed()) return false;
  PackedScoresBuilder builder(set);
  const auto take = [&](const Element& member, const Element& score) {
    return builder(member, score);
  };
  const bool good = kind == rdb::Kind::sorted_set_listpack ? each_pair(ListpackWalk(bytes), take)
                                                           : each_pair(ZiplistWalk(bytes), take);
  return good && set.size() > 0;
}

// --- hashes ------------------------------------------------------------------------------------

namespace {

bool read_fields(RdbInput& in, bool with_times, types::Hash& hash) {
  std::string name_scratch;
  std::string value_scratch;
  for (std::size_t left = in.count(with_times ? 10 : 2); left > 0; --left) {
    const std::string_view name = in.string(name_scratch);
    const std::string_view value = in.string(value_scratch);
    const UnixMs due = with_times ? in.time() : kNever;
    if (in.failed() || due < 0 || hash.put(name, value, due)) return false;
  }
  return !in.failed() && !hash.is_empty();
}

}  // namespace

bool read_hash(rdb::Kind kind, RdbInput& in, const RdbSurroundings& around, types::OwnCell& cell) {
  types::Hash hash(cell, around.settings);
  if (kind == rdb::Kind::hash || kind == rdb::Kind::slotcar_hash_with_times) {
    return read_fields(in, kind == rdb::Kind::slotcar_hash_with_times, hash);
  }
  std::string scratch;
  const std::string_view bytes = in.string(scratch);
  if (in.failed()) return false;
  const auto take = [&](const Element& name, const Element& value) {
    Element::Scratch name_digits;
    Element::Scratch value_digits;
    return !hash.put(name.view(name_digits), value.view(value_digits));
  };
  const bool good = kind == rdb::Kind::hash_listpack  ? each_pair(ListpackWalk(bytes), take)
                    : kind == rdb::Kind::hash_ziplist ? each_pair(ZiplistWalk(bytes), take)
                                                      : each_pair(ZipmapWalk(bytes), take);
  return good && !hash.is_empty();
}

}  // namespace slotcar::storage
