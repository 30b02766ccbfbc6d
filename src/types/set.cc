#include "types/set.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/limits.h"
#include "types/type.h"

namespace slotcar::types {

namespace {

// A setting as a number of members; a negative one was refused when it was set.
std::size_t bound(std::int64_t setting) {
  return static_cast<std::size_t>(setting);
}

SetForm form_of(const CellView& seen) {
  if (seen.tree != nullptr) return SetForm::tree;
  if (seen.packed.empty()) return SetForm::empty;
  return encoding_of(Type::set, seen) == Encoding::intset ? SetForm::intset : SetForm::listpack;
}

}  // namespace

SetView::SetView(const CellView& seen) : form_(form_of(seen)), packed_(seen.packed) {
  if (form_ == SetForm::tree) tree_ = &static_cast<const SetTree*>(seen.tree)->members;
}

std::size_t SetView::size() const {
  switch (form_) {
    case SetForm::empty:
      return 0;
    case SetForm::intset:
      return IntsetView(packed_).size();
    case SetForm::listpack:
      return FrontpackView(packed_).size();
    case SetForm::tree:
      return tree_->size();
  }
  UNREACHABLE();
}

bool SetView::contains(const Element& member) const {
  return contains(member, form_ == SetForm::tree ? tree_->hash(member) : 0);
}

bool SetView::contains(const Element& member, std::uint64_t hash) const {
  switch (form_) {
    case SetForm::empty:
      return false;
    case SetForm::intset:
      return member.is_integer && IntsetView(packed_).contains(member.number);
    case SetForm::listpack: {
      const FrontpackView members(packed_);
      return members.find(Encoded(member), members.first()) != FrontpackView::kNone;
    }
    case SetForm::tree:
      return tree_->contains(member, hash);
  }
  UNREACHABLE();
}

Element SetView::at_rank(std::size_t rank) const {
  switch (form_) {
    case SetForm::intset:
      return Element::of(IntsetView(packed_).at(rank));
    case SetForm::listpack: {
      const FrontpackView members(packed_);
      return members.at(members.seek(static_cast<std::int64_t>(rank)));
    }
    case SetForm::tree:
      return tree_->at_rank(rank).name;
    case SetForm::empty:
      break;
  }
  UNREACHABLE();
}

// --- changing ----------------------------------------------------------------------------------

void Set::expect(const Element& first, std::size_t count) {
  switch (form_of(cell_->view())) {
    case SetForm::empty:
      if (first.is_integer && count <= bound(settings_->set_max_intset_entries)) {
        Intset made(*cell_);
      } else if (count <= bound(settings_->set_max_listpack_entries)) {
        Frontpack made(*cell_);
      } else {
        become_tree();
      }
      return;
    case SetForm::intset:
      if (count > bound(settings_->set_max_intset_entries)) become_tree();
      return;
    case SetForm::listpack:
      if (count > bound(settings_->set_max_listpack_entries)) become_tree();
      return;
    case SetForm::tree:
      return;
  }
}

bool Set::add(const Element& member) {
  switch (form_of(cell_->view())) {
    case SetForm::empty:
      expect(member, 1);
      return add(member);
    case SetForm::intset:
      return add_to_intset(member);
    case SetForm::listpack:
      return add_to_listpack(member);
    case SetForm::tree:
      return tree().add({.name = member, .value = {}}, tree().hash(member));
  }
  UNREACHABLE();
}

bool Set::add_to_intset(const Element& member) {
  Intset numbers(*cell_);
  if (member.is_integer) {
    const bool full = numbers.size() >= bound(settings_->set_max_intset_entries) ||
                      numbers.bytes_with(member.number) > limits::kPackedBytesMax;
    if (!full) return numbers.add(member.number);
    if (numbers.contains(member.number)) return false;
    return become_tree().put({.name = member, .value = {}});
  }
  const std::size_t count = numbers.size();
  std::size_t longest = member.text.size();
  std::size_t bytes = FrontpackView::kEmptyBytes + Frontpack::cost({member});
  if (count > 0) {
    // The ends have the most digits and the longest encodings: an upper bound for all.
    const Element least = Element::of(numbers.least());
    const Element greatest = Element::of(numbers.greatest());
    longest = std::max({longest, least.size(), greatest.size()});
    bytes += count * std::max(Frontpack::cost({least}), Frontpack::cost({greatest}));
  }
  if (!fits_listpack(count, longest, bytes)) {
    return become_tree().put({.name = member, .value = {}});
  }
  become_listpack();
  Frontpack(*cell_).append(member);
  return true;
}

bool Set::add_to_listpack(const Element& member) {
  Frontpack members(*cell_);
  const Encoded wanted(member);
  if (members.find(wanted, members.first()) != FrontpackView::kNone) return false;
  const std::size_t bytes = cell_->size() + Frontpack::cost({member});
  if (fits_listpack(members.size(), member.size(), bytes)) {
    members.append(member);
    return true;
  }
  return become_tree().put({.name = member, .value = {}});
}

// Whether a listpack of this many members has room for one more.
bool Set::fits_listpack(std::size_t members, std::size_t longest, std::size_t bytes) const {
  return members < bound(settings_->set_max_listpack_entries) &&
         longest <= bound(settings_->set_max_listpack_value) && bytes <= limits::kPackedBytesMax;
}

bool Set::remove(const Element& member) {
  switch (form_of(cell_->view())) {
    case SetForm::empty:
      return false;
    case SetForm::intset:
      return member.is_integer && Intset(*cell_).remove(member.number);
    case SetForm::listpack: {
      Frontpack members(*cell_);
      const auto at = members.find(Encoded(member), members.first());
      if (at == FrontpackView::kNone) return false;
      members.erase(at);
      return true;
    }
    case SetForm::tree:
      return tree().erase(member);
  }
  UNREACHABLE();
}

void Set::remove_at(std::size_t rank) {
  switch (form_of(cell_->view())) {
    case SetForm::intset:
      return Intset(*cell_).remove_at(rank);
    case SetForm::listpack: {
      Frontpack members(*cell_);
      members.erase(members.seek(static_cast<std::int64_t>(rank)));
      return;
    }
    case SetForm::tree:
      tree().erase(tree().at_rank(rank).name);
      return;
    case SetForm::empty:
      UNREACHABLE();
  }
}

// --- from form to form -------------------------------------------------------------------------

void Set::become_listpack() {
  const IntsetView numbers(cell_->packed());
  std::vector<std::int64_t> kept(numbers.size());
  for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = numbers.at(i);
  cell_->resize(0);
  Frontpack members(*cell_);
  for (const std::int64_t number : kept) members.append(Element::of(number));
}

MemberTree& Set::become_tree() {
  auto made = std::make_unique<SetTree>(settings_->hash_seed);
  view().for_each([&](const Element& member) {
    made->members.put({.name = member, .value = {}});
    return true;
  });
  cell_->become_tree(std::move(made));
  return tree();
}

void Set::settle(bool keep_tree) {
  if (!cell_->is_tree()) return;
  const SetView seen = view();
  const std::size_t packed_max = keep_tree ? bound(settings_->set_max_intset_entries)
                                           : std::max(bound(settings_->set_max_intset_entries),
                                                      bound(settings_->set_max_listpack_entries));
  if (seen.size() == 0 || seen.size() > packed_max) return;
  OwnCell packed;
  Set made(packed, *settings_);
  bool fits = true;
  seen.for_each([&](const Element& member) {
    made.add(member);
    fits = !packed.is_tree();
    return fits;
  });
  if (!fits || (keep_tree && form_of(packed.view()) != SetForm::intset)) return;
  char* bytes = cell_->become_packed(packed.size());
  std::copy_n(packed.data(), packed.size(), bytes);
}

}  // namespace slotcar::types
