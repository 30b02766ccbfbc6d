// Lists, sets, sorted sets and hashes. What is packed here is a listpack in Redis: those of lists
// are written unchanged, sorted sets and hashes get their back lengths; a small set that is not of
// integers is written member by member, because version 10 has no kind for a packed one.
#include "storage/rdb/rdb_writer.h"
#include "types/hash.h"
#include "types/list.h"
#include "types/packed/listpack.h"
#include "types/set.h"
#include "types/sorted_set.h"

namespace slotcar::storage {

void write_list(RdbWriter& out, const types::CellView& seen) {
  out.kind(rdb::Kind::list_quicklist_2);
  if (seen.tree == nullptr) {
    out.length(1);
    out.length(rdb::kNodePacked);
    return out.string(seen.packed);
  }
  const auto& leaves = static_cast<const types::ListTree*>(seen.tree)->leaves;
  types::Tree<types::ListLeaf>::Path path;
  std::size_t count = 0;
  for (bool there = leaves.first(path); there; there = leaves.next(path)) ++count;
  out.length(count);
  for (bool there = leaves.first(path); there; there = leaves.next(path)) {
    out.length(rdb::kNodePacked);
    out.string(path.leaf().pack().bytes());
    out.between_elements();
  }
}

void write_set(RdbWriter& out, const types::CellView& seen) {
  const types::SetView set(seen);
  if (set.form() == types::SetForm::intset) {
    out.kind(rdb::Kind::set_intset);
    return out.string(seen.packed);
  }
  out.kind(rdb::Kind::set);
  out.length(set.size());
  set.for_each([&](const types::Element& member) {
    out.element(member);
    out.between_elements();
    return true;
  });
}

void write_sorted_set(RdbWriter& out, const types::CellView& seen) {
  if (seen.tree == nullptr) {
    out.kind(rdb::Kind::sorted_set_listpack);
    return out.string(types::as_listpack(types::FrontpackView(seen.packed)));
  }
  const types::SortedSetView set(seen);
  out.kind(rdb::Kind::sorted_set_2);
  out.length(set.size());
  // From the greatest score down: a skip list is filled fastest at its beginning.
  set.walk(set.size() - 1, set.size(), true, [&](const types::Scored& scored) {
    out.element(scored.member);
    out.score(scored.score);
    out.between_elements();
  });
}

namespace {

void write_fields(RdbWriter& out, const types::CellView& seen, bool with_times) {
  const types::HashView hash(seen, types::HashView::kBeforeAll);
  out.length(hash.stored());
  hash.for_each([&](const types::Field& field) {
    out.element(field.name);
    out.element(field.value);
    if (with_times) out.time(field.due);
    out.between_elements();
  });
}

}  // namespace

// Expired fields are written with their time: readers treat them as expired, too.
void write_hash(RdbWriter& out, const types::CellView& seen) {
  if (seen.tree == nullptr || seen.tree->next_due() == kNever) {
    return write_hash_without_times(out, seen);
  }
  out.kind(rdb::Kind::slotcar_hash_with_times);
  write_fields(out, seen, true);
}

void write_hash_without_times(RdbWriter& out, const types::CellView& seen) {
  if (seen.tree == nullptr) {
    out.kind(rdb::Kind::hash_listpack);
    return out.string(types::as_listpack(types::FrontpackView(seen.packed)));
  }
  out.kind(rdb::Kind::hash);
  write_fields(out, seen, false);
}

}  // namespace slotcar::storage
