#include "types/tree/hash_tree.h"

#include "base/assert.h"

namespace slotcar::types {

namespace {

// Times as unsigned numbers in the same order.
constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;

std::uint64_t key_of(UnixMs due) {
  return static_cast<std::uint64_t>(due) ^ kSignBit;
}
UnixMs due_of(std::uint64_t key) {
  return static_cast<UnixMs>(key ^ kSignBit);
}

}  // namespace

std::size_t HashTree::footprint() const {
  return sizeof(HashTree) + fields_.bytes() + times_.bytes();
}

UnixMs HashTree::next_due() const {
  const auto first = times_.first();
  return first ? due_of(first->key) : kNever;
}

// A pair that represents several fields makes the sizes differ; such a hash is left to the expirer.
bool HashTree::all_over(UnixMs now) const {
  return times_.size() == fields_.size() && over_at(now) == fields_.size();
}

std::size_t HashTree::over_at(UnixMs now) const {
  if (next_due() > now) return 0;
  return times_.count_before({key_of(now) + 1, 0});
}

std::optional<Field> HashTree::first_over(UnixMs now) const {
  const auto first = times_.first();
  if (!first || due_of(first->key) > now) return std::nullopt;
  const auto field = fields_.find_by_hash(
      first->value, [&](const Field& found) { return found.due == due_of(first->key); });
  ASSERT(field);
  return field;
}

std::optional<UnixMs> HashTree::put(const Field& field) {
  const std::uint64_t hash = fields_.hash(field.name);
  const auto before = fields_.replace(field, hash);
  if (before == field.due) return before;
  if (before && *before != kNever) drop_time(*before, hash);
  if (field.due != kNever) times_.insert({key_of(field.due), hash});
  return before;
}

std::optional<UnixMs> HashTree::erase(const Element& name) {
  const std::uint64_t hash = fields_.hash(name);
  const auto before = fields_.remove(name, hash);
  if (before && *before != kNever) drop_time(*before, hash);
  return before;
}

// A field no longer has this time. Its pair is removed, unless it also represents another field.
void HashTree::drop_time(UnixMs due, std::uint64_t hash) {
  if (fields_.find_by_hash(hash, [&](const Field& other) { return other.due == due; })) return;
  const bool erased = times_.erase({key_of(due), hash});
  ASSERT(erased);
}

}  // namespace slotcar::types
