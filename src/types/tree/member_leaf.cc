#include "types/tree/member_leaf.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "base/assert.h"
#include "base/match_bytes.h"
#include "base/memory.h"
#include "types/approach.h"

namespace slotcar::types {

namespace {

constexpr std::size_t kPointerBytes = sizeof(void*);

std::uint8_t tag_of(std::uint64_t hash) {
  return static_cast<std::uint8_t>(hash);
}

// Reads a counted buffer without taking a reference: readers of a pinned leaf must not contend for
// the counts of everything they read.
class Borrowed {
 public:
  explicit Borrowed(void* buffer) : bytes_(base::SharedBytes::adopt(buffer)) {}
  ~Borrowed() { bytes_.detach(); }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  const base::SharedBytes* operator->() const { return &bytes_; }

 private:
  base::SharedBytes bytes_;
};

// One more reference, kept in a leaf's bytes.
void count_one_more(void* buffer) {
  base::SharedBytes::share(buffer).detach();
}

}  // namespace

MemberLeaf* MemberLeaf::make(bool with_values, base::HashSeed seed) {
  auto* leaf = new (base::allocate_bytes(sizeof(MemberLeaf))) MemberLeaf();
  leaf->seed_ = seed;
  leaf->with_values_ = with_values;
  return leaf;
}

MemberLeaf* MemberLeaf::clone(const MemberLeaf& leaf) {
  auto* copy = new (base::allocate_bytes(sizeof(MemberLeaf) + leaf.used_)) MemberLeaf();
  copy->count = leaf.count;
  copy->seed_ = leaf.seed_;
  copy->with_values_ = leaf.with_values_;
  copy->used_ = leaf.used_;
  copy->outside_ = leaf.outside_;
  std::memcpy(copy->tags_, leaf.tags_, leaf.count);
  std::memcpy(copy->spots_, leaf.spots_, leaf.count * sizeof leaf.spots_[0]);
  std::memcpy(copy->bytes(), leaf.bytes(), leaf.used_);
  for (std::size_t i = 0; i < leaf.count; ++i) {
    if (leaf.spots_[i] & kOutside) count_one_more(leaf.outside(i));
  }
  return copy;
}

void MemberLeaf::free(MemberLeaf* leaf) {
  for (std::size_t i = 0; i < leaf->count; ++i) {
    if (leaf->spots_[i] & kOutside) {
      base::SharedBytes::adopt(leaf->outside(i));
    }
  }
  base::free_bytes(leaf);
}

void* MemberLeaf::outside(std::size_t at) const {
  void* buffer;
  std::memcpy(&buffer, bytes() + spot(at), sizeof buffer);
  return buffer;
}

std::size_t MemberLeaf::footprint() const {
  std::size_t total = base::usable_bytes(this);
  if (outside_ == 0) return total;
  for (std::size_t i = 0; i < count; ++i) {
    if (spots_[i] & kOutside) total += Borrowed(outside(i))->footprint();
  }
  return total;
}

// --- looking -----------------------------------------------------------------------------------

const char* MemberLeaf::body(std::size_t at) const {
  return spots_[at] & kOutside ? Borrowed(outside(at))->data() : bytes() + spot(at);
}

std::size_t MemberLeaf::body_size(const char* body, bool has_due) const {
  std::size_t size = encoded_size(body);
  if (with_values_) size += encoded_size(body + size);
  return has_due ? size + sizeof(UnixMs) : size;
}

std::size_t MemberLeaf::stored_size(std::size_t at) const {
  if (spots_[at] & kOutside) return kPointerBytes;
  return body_size(bytes() + spot(at), spots_[at] & kHasDue);
}

std::size_t MemberLeaf::find(const Encoded& name, std::uint64_t hash) const {
  for (std::size_t group = 0; group < count; group += 16) {
    unsigned hits = base::match_sixteen(tags_ + group, tag_of(hash));
    if (count - group < 16) hits &= (1u << (count - group)) - 1;
    for (; hits != 0; hits &= hits - 1) {
      const std::size_t at = group + static_cast<std::size_t>(__builtin_ctz(hits));
      if (!(spots_[at] & kOutside)) {
        if (name.matches(bytes() + spot(at), used_ - spot(at))) return at;
      } else if (const Borrowed buffer(outside(at)); name.matches(buffer->data(), buffer->size())) {
        return at;
      }
    }
  }
  return kNone;
}

void MemberLeaf::fetch_ahead(std::uint64_t hash) const {
  std::uint64_t hits = 0;
  for (std::size_t group = 0; group < kMembersMax; group += 16) {
    hits |= std::uint64_t{base::match_sixteen(tags_ + group, tag_of(hash))} << group;
  }
  if (count < kMembersMax) hits &= (std::uint64_t{1} << count) - 1;
  const std::size_t at = hits == 0 ? used_ : spot(static_cast<std::size_t>(std::countr_zero(hits)));
  fetch_lines(bytes() + at, 1);
}

Member MemberLeaf::member(std::size_t at) const {
  const char* from = body(at);
  Member member;
  member.name = decode(from);
  std::size_t size = encoded_size(from);
  if (with_values_) {
    member.value = decode(from + size);
    size += encoded_size(from + size);
  }
  if (spots_[at] & kHasDue) std::memcpy(&member.due, from + size, sizeof member.due);
  return member;
}

// --- changing ----------------------------------------------------------------------------------

void MemberLeaf::reserve(MemberLeaf*& leaf, std::size_t more) {
  const std::size_t needed = sizeof(MemberLeaf) + leaf->used_ + more;
  if (needed > base::usable_bytes(leaf)) {
    leaf = static_cast<MemberLeaf*>(base::reallocate_bytes(leaf, needed));
  }
}

std::size_t MemberLeaf::written_size(const Member& member, bool with_values) {
  std::size_t size = Encoded(member.name).size();
  if (with_values) size += Encoded(member.value).size();
  return member.due == kNever ? size : size + sizeof member.due;
}

void MemberLeaf::write(char* out, const Member& member, bool with_values) {
  out = Encoded(member.name).write(out);
  if (with_values) out = Encoded(member.value).write(out);
  if (member.due != kNever) std::memcpy(out, &member.due, sizeof member.due);
}

// The member must not point into this leaf.
void MemberLeaf::add(MemberLeaf*& leaf, const Member& member, std::uint64_t hash) {
  ASSERT(leaf->count < kMembersMax);
  const std::size_t size = written_size(member, leaf->with_values_);
  const bool out_of_line = size > kInlineMax;
  // A leaf that was too full has been split before.
  ASSERT(leaf->used_ + kInlineMax <= kSpotMask);
  reserve(leaf, out_of_line ? kPointerBytes : size);
  const std::size_t at = leaf->count;
  char* out = leaf->bytes() + leaf->used_;
  leaf->tags_[at] = tag_of(hash);
  leaf->spots_[at] = static_cast<std::uint16_t>(leaf->used_ | (out_of_line ? kOutside : 0u) |
                                                (member.due != kNever ? kHasDue : 0u));
  if (out_of_line) {
    base::SharedBytes buffer = base::SharedBytes::allocate(size, nullptr);
    buffer.set_size(size);
    write(buffer.mutable_data(), member, leaf->with_values_);
    void* raw = buffer.detach();
    std::memcpy(out, &raw, kPointerBytes);
    leaf->used_ += kPointerBytes;
    ++leaf->outside_;
  } else {
    write(out, member, leaf->with_values_);
    leaf->used_ += static_cast<std::uint32_t>(size);
  }
  ++leaf->count;
}

void MemberLeaf::erase(MemberLeaf*& leaf, std::size_t at) {
  const std::size_t begin = leaf->spot(at);
  const std::size_t size = leaf->stored_size(at);
  if (leaf->spots_[at] & kOutside) {
    base::SharedBytes::adopt(leaf->outside(at));
    --leaf->outside_;
  }
  std::memmove(leaf->bytes() + begin, leaf->bytes() + begin + size, leaf->used_ - begin - size);
  leaf->used_ -= static_cast<std::uint32_t>(size);
  const std::size_t last = leaf->count - 1u;
  leaf->tags_[at] = leaf->tags_[last];
  leaf->spots_[at] = leaf->spots_[last];
  --leaf->count;
  for (std::size_t i = 0; i < leaf->count; ++i) {
    if (leaf->spot(i) > begin) leaf->spots_[i] = static_cast<std::uint16_t>(leaf->spots_[i] - size);
  }
  // Memory is freed in steps, so that a member that is added and removed repeatedly does not move
  // the leaf each time.
  const std::size_t needed = sizeof(MemberLeaf) + leaf->used_;
  if (needed + needed / 3 + 64 < base::usable_bytes(leaf)) {
    leaf = static_cast<MemberLeaf*>(base::reallocate_bytes(leaf, needed));
  }
}

void MemberLeaf::assign(MemberLeaf*& leaf, std::size_t at, const Member& member,
                        std::uint64_t hash) {
  const std::size_t size = written_size(member, leaf->with_values_);
  const bool has_due = member.due != kNever;
  const std::uint16_t flags = leaf->spots_[at] & static_cast<std::uint16_t>(kHasDue | kOutside);
  if (flags == (has_due ? kHasDue : 0) && size == leaf->stored_size(at)) {
    write(leaf->bytes() + leaf->spot(at), member, leaf->with_values_);
    return;
  }
  erase(leaf, at);
  add(leaf, member, hash);
}

// Appends a member of another leaf in its encoded form.
void MemberLeaf::take(MemberLeaf*& to, const MemberLeaf& from, std::size_t at) {
  const std::size_t size = from.stored_size(at);
  reserve(to, size);
  std::memcpy(to->bytes() + to->used_, from.bytes() + from.spot(at), size);
  to->tags_[to->count] = from.tags_[at];
  to->spots_[to->count] =
      static_cast<std::uint16_t>(to->used_ | (from.spots_[at] & (kHasDue | kOutside)));
  to->used_ += static_cast<std::uint32_t>(size);
  if (from.spots_[at] & kOutside) ++to->outside_;
  ++to->count;
}

// A cut near the middle that does not separate equal marks: how many are before it, and the least
// mark after it. 0: all are equal.
std::size_t MemberLeaf::cut_between(const Marks& marks, std::size_t total, std::uint64_t& least) {
  Marks sorted;
  std::copy(marks, marks + total, sorted);
  std::sort(sorted, sorted + total);
  std::size_t cut = total / 2;
  while (cut < total && sorted[cut] == sorted[cut - 1]) ++cut;
  if (cut == total) {
    cut = total / 2;
    while (cut > 0 && sorted[cut] == sorted[cut - 1]) --cut;
  }
  least = sorted[cut];
  return cut;
}

MemberLeaf* MemberLeaf::split(MemberLeaf*& leaf, bool, Separator& at) {
  Marks marks;
  const std::size_t total = leaf->count;
  for (std::size_t i = 0; i < total; ++i) marks[i] = leaf->hash(i);
  std::uint64_t least = 0;
  at = {};
  if (cut_between(marks, total, least) != 0) {
    at.hash = least;
  } else {
    at.hash = marks[0];
    for (std::size_t i = 0; i < total; ++i) marks[i] = leaf->tie(i);
    if (cut_between(marks, total, least) == 0) return nullptr;
    at.tie = least;
  }
  MemberLeaf* left = make(leaf->with_values_, leaf->seed_);
  MemberLeaf* right = make(leaf->with_values_, leaf->seed_);
  reserve(left, leaf->used_ / 2);
  reserve(right, leaf->used_ / 2);
  for (std::size_t i = 0; i < total; ++i) take(marks[i] < least ? left : right, *leaf, i);
  base::free_bytes(leaf);  // outside members have moved
  leaf = left;
  return right;
}

void MemberLeaf::join(MemberLeaf*& left, const MemberLeaf& right) {
  reserve(left, right.used_);
  for (std::size_t i = 0; i < right.count; ++i) {
    if (right.spots_[i] & kOutside) count_one_more(right.outside(i));
    take(left, right, i);
  }
}

}  // namespace slotcar::types
