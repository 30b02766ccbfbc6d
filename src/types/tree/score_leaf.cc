#include "types/tree/score_leaf.h"

#include <algorithm>
#include <new>

#include "base/assert.h"
#include "base/memory.h"
#include "types/approach.h"

namespace slotcar::types {

namespace {

void* pointer_at(const char* here) {
  void* raw = nullptr;
  std::memcpy(&raw, here, sizeof raw);
  return raw;
}

// A reference that is stored at `here` and stays there.
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
  // Uses all memory that the allocator really gives.
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

// Elements [first, last) of another leaf, copied to the end; there is room for them. Outside
// members are shared.
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
    used_ += static_cast<std::uint32_t>(size);
    std::memcpy(end() - used_, here, size);
    set_slot(count, from.score(i), static_cast<std::uint16_t>(used_ | (spot & kOutside)));
    ++count;
  }
}

// Drops its reference to an outside buffer, if it has one.
void ScoreLeaf::let_go(std::size_t at) {
  const std::uint16_t spot = spot_of(at);
  if (!(spot & kOutside)) return;
  const auto buffer = base::SharedBytes::adopt(pointer_at(end() - (spot & kSpotMask)));
  outside_bytes_ -= buffer.footprint();
}

// --- changing ----------------------------------------------------------------------------------

void ScoreLeaf::make_room(ScoreLeaf*& leaf, std::size_t more) {
  const std::size_t room = leaf->room_;
  const std::size_t wanted = leaf->live_bytes() + more;
  if (wanted <= room) return;
  // A leaf grows in the allocator's own size steps (an eighth each).
  leaf = static_cast<ScoreLeaf*>(base::reallocate_bytes(leaf, sizeof(ScoreLeaf) + wanted));
  leaf->room_ = static_cast<std::uint32_t>(base::usable_bytes(leaf) - sizeof(ScoreLeaf));
  std::memmove(leaf->end() - leaf->used_, leaf->bytes() + room - leaf->used_, leaf->used_);
}

void ScoreLeaf::insert(ScoreLeaf*& leaf, std::size_t at, double score, std::string_view member) {
  const std::size_t size = stored_size(member);
  make_room(leaf, kSlotBytes + size);
  leaf->used_ += static_cast<std::uint32_t>(size);
  ASSERT(leaf->used_ <= kSpotMask && at <= leaf->count);
  char* out = leaf->end() - leaf->used_;
  auto spot = static_cast<std::uint16_t>(leaf->used_);
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

// Removes an element's bytes; bytes added later move up, and their spots with them.
void ScoreLeaf::close_up(std::size_t at) {
  const std::uint32_t gone = spot_of(at) & kSpotMask;
  const std::size_t size = stored_size(at);
  let_go(at);
  std::memmove(end() - used_ + size, end() - used_, used_ - gone);
  used_ -= static_cast<std::uint32_t>(size);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint16_t spot = spot_of(i);
    const std::size_t up = (spot & kSpotMask) > gone ? size : 0;
    const auto now = static_cast<std::uint16_t>(spot - up);
    std::memcpy(slot(i) + sizeof(double), &now, sizeof now);
  }
}

void ScoreLeaf::erase(ScoreLeaf*& leaf, std::size_t at, std::size_t how_many) {
  const std::size_t rest = leaf->count - at - how_many;
  if (how_many == 1) {
    leaf->close_up(at);
    std::memmove(leaf->slot(at), leaf->slot(at + 1), rest * kSlotBytes);
    --leaf->count;
    // Memory is freed once half of it is unused.
    if (leaf->live_bytes() * 2 + kBytesFull / 8 > leaf->room_) return;
    ScoreLeaf* fresh = clone(*leaf);
    free(leaf);
    leaf = fresh;
    return;
  }
  ScoreLeaf* fresh = with_room(leaf->live_bytes());
  fresh->append_slots_of(*leaf, 0, at);
  fresh->append_slots_of(*leaf, at + how_many, leaf->count);
  free(leaf);
  leaf = clone(*fresh);
  free(fresh);
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

// First by scores alone, without branches that could be mispredicted; members are compared only
// among equal scores.
std::size_t ScoreLeaf::lower_bound(double score, std::string_view member) const {
  // Each step depends on the one before, but their cache lines are loaded in parallel.
  fetch_lines(slot(0), (count * kSlotBytes + 63) / 64);
  std::size_t low = 0;
  for (std::size_t left = count; left > 0;) {
    const std::size_t half = (left + 1) / 2;
    low += this->score(low + half - 1) < score ? half : 0;
    left -= half;
  }
  if (low == count || this->score(low) != score) return low;
  std::size_t high = low + 1;
  while (high < count && this->score(high) == score) ++high;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (this->member(middle) < member) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// --- for the tree ------------------------------------------------------------------------------

ScoreLeaf* ScoreLeaf::split(ScoreLeaf*& leaf, bool rightmost, Separator& at) {
  const std::size_t count = leaf->count;
  if (count < 2) return nullptr;
  // Half of the bytes, so that long members do not gather. At the right end most stay, so that
  // leaves filled in order stay dense.
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
