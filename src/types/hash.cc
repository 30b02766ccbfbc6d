#include "types/hash.h"

#include <memory>
#include <string>
#include <utility>

#include "base/limits.h"
#include "types/packed/listpack.h"

namespace slotcar::types {

namespace {

// Where a field and its value are in a packed hash; null if there is no such field.
struct Place {
  const char* name = nullptr;
  const char* value = nullptr;
};

Place find_packed(std::string_view packed, const Element& name) {
  const PackWanted wanted(name);
  const char* at = frontpack_begin(packed);
  const char* const end = pack_end(packed);
  while (at < end) {
    const char* const value = at + frontpack_step(at);
    if (wanted.stands_at(at, static_cast<std::size_t>(end - at))) return {at, value};
    at = value + frontpack_step(value);
  }
  return {};
}

}  // namespace

// --- looking -----------------------------------------------------------------------------------

std::size_t HashView::packed_size() const {
  return packed_.empty() ? 0 : FrontpackView(packed_).size() / 2;
}

std::size_t HashView::size() const {
  return over_ ? stored() - tree_->over_at(now_) : stored();
}

std::size_t HashView::count() const {
  if (!over_) return stored();
  std::size_t fields = 0;
  for_each([&](const Field&) { ++fields; });
  return fields;
}

std::optional<Field> HashView::find(std::string_view name) const {
  if (tree_ != nullptr) {
    const auto field = tree_->fields().find(Element::of(name));
    return field && !is_over(*field) ? field : std::nullopt;
  }
  Field field;
  if (!find_value(name, field.value)) return std::nullopt;
  field.name = Element::bytes(name);
  return field;
}

bool HashView::find_value(std::string_view name, Element& value) const {
  if (tree_ != nullptr) {
    const auto field = tree_->fields().find(Element::of(name));
    if (!field || is_over(*field)) return false;
    value = field->value;
    return true;
  }
  if (packed_.empty()) return false;
  Place place = find_packed(packed_, Element::of(name));
  if (place.name == nullptr) return false;
  value = frontpack_next(place.value);
  return true;
}

std::optional<Field> HashView::at(std::size_t number) const {
  if (tree_ != nullptr) {
    const Field field = tree_->fields().at_rank(number);
    return is_over(field) ? std::nullopt : std::optional(field);
  }
  const FrontpackView pack(packed_);
  const auto place = pack.seek(static_cast<std::int64_t>(2 * number));
  Field field;
  field.name = pack.at(place);
  field.value = pack.at(pack.next(place));
  return field;
}

// --- changing ----------------------------------------------------------------------------------

bool Hash::is_empty() const {
  return cell_->is_tree() ? stored() == 0 : cell_->size() <= FrontpackView::kEmptyBytes;
}

// Whether a packed hash may not contain this name and value.
bool Hash::outgrows(std::string_view name, std::string_view value) const {
  const auto longest = static_cast<std::size_t>(settings_->hash_max_listpack_value.get());
  return name.size() > longest || value.size() > longest ||
         cell_->size() + name.size() + value.size() > limits::kPackedBytesMax;
}

void Hash::become_tree() {
  auto tree = std::make_unique<HashTree>(settings_->hash_seed);
  HashView(cell_->view(), HashView::kBeforeAll).for_each([&](const Field& field) {
    tree->put(field);
  });
  cell_->become_tree(std::move(tree));
}

std::optional<UnixMs> Hash::put(std::string_view name, std::string_view value, UnixMs due) {
  const Element field = Element::of(name);
  if (!cell_->is_tree() && (due != kNever || outgrows(name, value))) become_tree();
  if (!cell_->is_tree()) {
    Frontpack pack(*cell_);
    const char* const found = find_packed(pack.bytes(), field).value;
    if (found != nullptr) {
      pack.replace(static_cast<Frontpack::Place>(found - pack.bytes().data()), Element::of(value));
      return kNever;
    }
    const auto most = settings_->hash_max_listpack_entries.get();
    if (static_cast<std::int64_t>(pack.size() / 2) < most) {
      pack.insert(Frontpack::kNone, {field, Element::of(value)});
      return std::nullopt;
    }
    become_tree();
  }
  return tree().put({field, Element::of(value), due});
}

std::optional<UnixMs> Hash::set_due(std::string_view name, UnixMs due) {
  const auto field = HashView(cell_->view(), HashView::kBeforeAll).find(name);
  if (!field) return std::nullopt;
  if (field->due == due) return due;
  // It is rewritten, so the value must not be read from its old place meanwhile.
  const std::string value = field->value.copy();
  if (!cell_->is_tree()) become_tree();
  return tree().put({Element::of(name), Element::of(value), due});
}

std::optional<UnixMs> Hash::erase(std::string_view name) {
  if (cell_->is_tree()) return tree().erase(Element::of(name));
  if (cell_->size() == 0) return std::nullopt;
  Frontpack pack(*cell_);
  const char* const found = find_packed(pack.bytes(), Element::of(name)).name;
  if (found == nullptr) return std::nullopt;
  pack.erase(static_cast<Frontpack::Place>(found - pack.bytes().data()), 2);
  return kNever;
}

}  // namespace slotcar::types
