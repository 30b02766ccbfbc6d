#include "types/score_leaf.h"

#include <algorithm>
#include <new>

#include "base/assert.h"
#include "base/memory.h"

namespace slotcar::types {

namespace {

void* pointer_at(const char* here) {
  void* raw = nullptr;
  std::memcpy(&raw, here, sizeof raw);
  return raw;
}

// A reference that lies at `here` and stays there.
struct Borrowed {
  explicit Borrowed(const char* here) : bytes(base::SharedBytes::adopt(pointer_at(here))) {}
  ~Borrowed() { bytes.detach(); }
  base::SharedBytes bytes;
};

}  // namespace

std::string_view ScoreLeaf::outside_at(const char* here) {
  return Borrowed(here).bytes.view();
}

std::size_t ScoreLeaf::stored_size(std::string_view member) {
  if (member.size() > kInlineMax) return sizeof(void*);
  return member.size() + (member.size() < kLong ? 1 : 2);
}

std::size_t ScoreLeaf::stored_size(std::size_t at) const {
  return spot_of(at) & kOutside ? sizeof(void*) : stored_size(member(at));
}

// --- life --------------------------------------------------------------------------------------

ScoreLeaf* ScoreLeaf::with_room(std::size_t bytes) {
  void* memory = base::allocate_bytes(sizeof(ScoreLeaf) + bytes);
  auto* leaf = new (memory) ScoreLeaf();
  // All that the allocator really gives is used.
  leaf->room_ = static_cast<std::uint32_t>(base::usable_bytes(memory) - sizeof(ScoreLeaf));
  return leaf;
}

ScoreLeaf* ScoreLeaf::make(std::size_t room) {
  return with_room(room);
}

ScoreLeaf* ScoreLeaf::clone(const ScoreLeaf& leaf) {
  ScoreLeaf* copy = with_room(leaf.live_bytes());
  copy->append_slots_of(leaf, 0, leaf.count);
  return copy;
}

void ScoreLeaf::free(ScoreLeaf* leaf) {
  if (leaf->outside_bytes_ != 0) {
    for (std::size_t i = 0; i < leaf->count; ++i) leaf->let_go(i);
  }
  base::free_bytes(leaf);
}

std::size_t ScoreLeaf::footprint() const {
  return sizeof(ScoreLeaf) + room_ + outside_bytes_;
}

// Elements [first, last) of another leaf, copied to the end; there is room for them. What stands
// outside is shared.
void ScoreLeaf::append_slots_of(const ScoreLeaf& from, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    const std::uint16_t spot = from.spot_of(i);
    const char* here = from.end() - (spot & kSpotMask);
    if (spot & kOutside) {
      base::SharedBytes buffer = base::SharedBytes::share(pointer_at(here));
      outside_bytes_ += buffer.footprint();
      buffer.detach();
    }
    const std::size_t size = from.stored_size(i);
    used_ = static_cast<std::uint16_t>(used_ + size);
    std::memcpy(end() - used_, here, size);
    set_slot(count, from.score(i), static_cast<std::uint16_t>(used_ | (spot & kOutside)));
    ++count;
  }
}

// Its reference to a buffer outside goes, if it has one.
void ScoreLeaf::let_go(std::size_t at) {
  const std::uint16_t spot = spot_of(at);
  if (!(spot & kOutside)) return;
  const auto buffer = base::SharedBytes::adopt(pointer_at(end() - (spot & kSpotMask)));
  outside_bytes_ -= buffer.footprint();
}

// --- changing ----------------------------------------------------------------------------------

void ScoreLeaf::make_room(ScoreLeaf*& leaf, std::size_t more) {
  if (leaf->count * kSlotBytes + leaf->used_ + more <= leaf->room_) return;
  if (leaf->dead_ == 0) {
    // The allocator's own steps (an eighth each) are the steps in which a leaf grows.
    const std::size_t room = leaf->room_;
    const std::size_t wanted = leaf->count * kSlotBytes + leaf->used_ + more;
    leaf = static_cast<ScoreLeaf*>(base::reallocate_bytes(leaf, sizeof(ScoreLeaf) + wanted));
    leaf->room_ = static_cast<std::uint32_t>(base::usable_bytes(leaf) - sizeof(ScoreLeaf));
    std::memmove(leaf->end() - leaf->used_, leaf->bytes() + room - leaf->used_, leaf->used_);
    return;
  }
  ScoreLeaf* fresh = with_room(leaf->live_bytes() + more);
  fresh->append_slots_of(*leaf, 0, leaf->count);
  free(leaf);
  leaf = fresh;
}

void ScoreLeaf::insert(ScoreLeaf*& leaf, std::size_t at, double score, std::string_view member) {
  const std::size_t size = stored_size(member);
  make_room(leaf, kSlotBytes + size);
  leaf->used_ = static_cast<std::uint16_t>(leaf->used_ + size);
  ASSERT(leaf->used_ <= kSpotMask && at <= leaf->count);
  char* out = leaf->end() - leaf->used_;
  std::uint16_t spot = leaf->used_;
  if (member.size() > kInlineMax) {
    base::SharedBytes buffer = base::SharedBytes::copy_of(member, nullptr);
    leaf->outside_bytes_ += buffer.footprint();
    void* raw = buffer.detach();
    std::memcpy(out, &raw, sizeof raw);
    spot |= kOutside;
  } else {
    if (member.size() >= kLong) *out++ = static_cast<char>(kLong | member.size() >> 8);
    *out++ = static_cast<char>(member.size());
    if (!member.empty()) std::memcpy(out, member.data(), member.size());
  }
  std::memmove(leaf->slot(at + 1), leaf->slot(at), (leaf->count - at) * kSlotBytes);
  leaf->set_slot(at, score, spot);
  ++leaf->count;
}

void ScoreLeaf::erase(ScoreLeaf*& leaf, std::size_t at, std::size_t how_many) {
  for (std::size_t i = at; i < at + how_many; ++i) {
    leaf->dead_ = static_cast<std::uint16_t>(leaf->dead_ + leaf->stored_size(i));
    leaf->let_go(i);
  }
  std::memmove(leaf->slot(at), leaf->slot(at + how_many),
               (leaf->count - at - how_many) * kSlotBytes);
  leaf->count = static_cast<std::uint16_t>(leaf->count - how_many);
  // Memory of what has gone comes back once it is as much as what is left.
  if (leaf->count == 0 || leaf->dead_ < leaf->live_bytes() || leaf->dead_ < kBytesFull / 8) return;
  ScoreLeaf* fresh = clone(*leaf);
  free(leaf);
  leaf = fresh;
}

void ScoreLeaf::move(std::size_t from, std::size_t to, double score) {
  const std::uint16_t spot = spot_of(from);
  if (to > from) {
    std::memmove(slot(from), slot(from + 1), (to - from) * kSlotBytes);
  } else if (to < from) {
    std::memmove(slot(to + 1), slot(to), (from - to) * kSlotBytes);
  }
  set_slot(to, score, spot);
}

std::size_t ScoreLeaf::lower_bound(double score, std::string_view member) const {
  return partition_point([&](std::size_t at) {
    const double here = this->score(at);
    if (here != score) return here < score;
    return this->member(at) < member;
  });
}

// --- for the tree ------------------------------------------------------------------------------

ScoreLeaf* ScoreLeaf::split(ScoreLeaf*& leaf, bool rightmost, Separator& at) {
  const std::size_t count = leaf->count;
  if (count < 2) return nullptr;
  // Half of the bytes, so that long members do not gather; at the right end most stay, because what
  // grows in order grows dense.
  const std::size_t share = rightmost ? leaf->live_bytes() / 8 * 7 : leaf->live_bytes() / 2;
  std::size_t kept = 0;
  std::size_t kept_bytes = 0;
  while (kept < count - 1 && (kept == 0 || kept_bytes < share)) {
    kept_bytes += kSlotBytes + leaf->stored_size(kept);
    ++kept;
  }
  ScoreLeaf* left = with_room(kept_bytes);
  left->append_slots_of(*leaf, 0, kept);
  ScoreLeaf* right = with_room(leaf->live_bytes() - kept_bytes);
  right->append_slots_of(*leaf, kept, count);
  free(leaf);
  leaf = left;
  at = right->separator();
  return right;
}

void ScoreLeaf::join(ScoreLeaf*& left, const ScoreLeaf& right) {
  make_room(left, right.live_bytes());
  left->append_slots_of(right, 0, right.count);
}

}  // namespace slotcar::types
