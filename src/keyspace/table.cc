#include "keyspace/table.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "base/assert.h"

namespace slotcar::keyspace {

namespace {

constexpr unsigned kPlaces = Bucket::kPlaces;
// A position has 48 bits, 16 of them the h16: deeper segments would need bits that it does not
// have.
constexpr unsigned kDepthMax = Table::kPositionBits - 16;

// The number of entries from which on a segment of `size` buckets grows: 9/10 of its places. A
// single bucket has nowhere to overflow and is filled completely.
constexpr std::uint32_t room(std::uint32_t size) {
  return size <= 1 ? size * kPlaces : size * (kPlaces * 9) / 10;
}

// Sizes step as the allocator's classes do, four to each doubling, so that no allocation is rounded
// up.
constexpr std::uint32_t next_size(std::uint32_t size) {
  return size + std::max(1u, std::bit_floor(size) / 4);
}

// The smallest size for `count` entries at `percent` load or less; none for no entries.
std::uint32_t size_for(std::uint32_t count, std::uint32_t percent) {
  std::uint32_t size = 0;
  while (std::uint64_t{size} * kPlaces * percent < std::uint64_t{count} * 100) {
    size = size == 0 ? 1 : next_size(size);
  }
  return size;
}
constexpr std::uint32_t kPercentAfterSplit = 75;
constexpr std::uint32_t kPercentAfterShrink = 60;
constexpr std::uint32_t kPercentShrink = 30;
// A segment whose keys lie nearly all on one side of a split grows to this many buckets instead.
constexpr std::uint32_t kLopsidedMax = Segment::kSizeLimit / 2;
// Siblings with no more entries than this become one segment, half full at most.
constexpr std::uint32_t kMergeMax = room(Table::kBucketsMax) / 2;

Segment new_segment(std::uint32_t size, unsigned depth, MemoryTally& tally) {
  ASSERT(size <= Segment::kSizeLimit);
  if (size == 0) return Segment(nullptr, 0, depth);
  // Plain allocation: the allocator's classes of these sizes begin at multiples of 64 anyway, and
  // only speed would suffer if one did not.
  void* memory = tally.allocate(size * sizeof(Bucket));
  ASSERT((reinterpret_cast<std::uint64_t>(memory) & ~kPointerBits) == 0);
  std::memset(memory, 0, size * sizeof(Bucket));
  return Segment(static_cast<Bucket*>(memory), size, depth);
}

void free_segment(Segment segment, MemoryTally& tally) {
  if (segment.buckets()) tally.free(segment.buckets());
}

Segment* new_directory(unsigned depth, MemoryTally& tally) {
  return static_cast<Segment*>(tally.allocate(sizeof(Segment) << depth));
}

Table::Word make_word(const Entry* entry, std::uint32_t h16) {
  return reinterpret_cast<std::uint64_t>(entry) | std::uint64_t{h16} << 48;
}

// Puts a word into the first bucket with room, from its home on. There must be room.
void place(Segment segment, Table::Word word, std::uint8_t tag) {
  std::uint32_t index = segment.home(static_cast<std::uint32_t>(word >> 48));
  for (std::uint32_t left = segment.size(); left > 0; --left) {
    Bucket& bucket = segment.buckets()[index];
    if (const unsigned empty = bucket.empty()) {
      const auto at = static_cast<unsigned>(__builtin_ctz(empty));
      bucket.tags[at] = tag;
      bucket.words[at] = word;
      return;
    }
    if (bucket.passed != Bucket::kPassedMax) ++bucket.passed;
    index = segment.after(index);
  }
  UNREACHABLE();
}

template <class Visit>  // visit(word, tag)
void each_word(Segment segment, Visit&& visit) {
  for (std::uint32_t i = 0; i < segment.size(); ++i) {
    const Bucket& bucket = segment.buckets()[i];
    for (unsigned bits = bucket.used(); bits != 0; bits &= bits - 1) {
      const auto at = static_cast<unsigned>(__builtin_ctz(bits));
      visit(bucket.words[at], bucket.tags[at]);
    }
  }
}

// The keys of a segment on either side of a split.
struct Counts {
  std::uint32_t sides[2] = {0, 0};
  bool all_equal = true;  // no split would part them, as far as the words know
};

Counts count_sides(Segment segment) {
  Counts counts;
  Table::Word differ = 0, first = 0;
  each_word(segment, [&](Table::Word word, std::uint8_t) {
    if (counts.sides[0] + counts.sides[1] == 0) first = word;
    ++counts.sides[word >> 63];
    differ |= word ^ first;
  });
  counts.all_equal = differ >> 48 == 0;
  return counts;
}

}  // namespace

// --- segments and their counts -----------------------------------------------------------------

void Table::set_segment(std::size_t index, Segment segment) {
  if (depth_ == 0) {
    only_ = segment;
    return;
  }
  const std::size_t neighbours = span(segment);
  Segment* first = directory_ + (index & ~(neighbours - 1));
  std::fill(first, first + neighbours, segment);
}

std::uint32_t Table::segment_count(Segment segment) const {
  if (depth_ == 0) return count_;
  if (segment.size() == 0) return 0;
  const Bucket* buckets = segment.buckets();
  const std::uint32_t high = segment.size() > 1 ? buckets[1].count_part : 0;
  return buckets[0].count_part | high << 8;
}

void Table::set_segment_count(Segment segment, std::uint32_t count) {
  if (depth_ == 0 || segment.size() == 0) return;
  segment.buckets()[0].count_part = static_cast<std::uint8_t>(count);
  if (segment.size() > 1) segment.buckets()[1].count_part = static_cast<std::uint8_t>(count >> 8);
}

// --- inserting ---------------------------------------------------------------------------------

void Table::insert(Entry* entry, std::uint64_t hash, const TableHasher& hasher,
                   MemoryTally& tally) {
  ASSERT((reinterpret_cast<std::uint64_t>(entry) & ~kPointerBits) == 0);
  Segment segment = segment_at(index_of(hash));
  std::uint32_t count = segment_count(segment);
  if (count >= room(segment.size())) {
    make_room(hash, hasher, tally);
    segment = segment_at(index_of(hash));
    count = segment_count(segment);
  }
  place(segment, make_word(entry, segment.h16(hash)), tag_of(hash));
  set_segment_count(segment, count + 1);
  ++count_;
}

void Table::make_room(std::uint64_t hash, const TableHasher& hasher, MemoryTally& tally) {
  std::size_t index = index_of(hash);
  std::uint32_t size = segment_at(index).size();
  while (size >= kBucketsMax && split(index, hasher, tally)) {
    index = index_of(hash);
    size = segment_at(index).size();
    const bool has_room = segment_count(segment_at(index)) < room(size);
    if (has_room && size < kLopsidedMax) [[likely]]
      return;
  }
  if (segment_count(segment_at(index)) >= room(size)) resize(index, next_size(size), tally);
}

// Words contain their h16: no key is read.
void Table::resize(std::size_t index, std::uint32_t size, MemoryTally& tally) {
  const Segment old = segment_at(index);
  const std::uint32_t count = segment_count(old);
  const Segment fresh = new_segment(size, old.depth(), tally);
  each_word(old, [&](Word word, std::uint8_t tag) { place(fresh, word, tag); });
  set_segment_count(fresh, count);
  set_segment(index, fresh);
  free_segment(old, tally);
}

bool Table::split(std::size_t index, const TableHasher& hasher, MemoryTally& tally) {
  const Segment old = segment_at(index);
  const auto [counts, all_equal] = count_sides(old);
  // A seeded hash cuts in the middle. Where nearly all keys fall on one side the directory would
  // double for little, and the segment grows instead. But keys may come in the order of their
  // hashes, as they do from another table with the same seed: then a segment that covers much has
  // keys only where it begins, and has to be cut until they are parted.
  const std::uint32_t eighth = (counts[0] + counts[1]) / 8;
  const bool is_lopsided = counts[0] <= eighth || counts[1] <= eighth;
  if (is_lopsided && (old.size() < kLopsidedMax || all_equal)) return false;
  const unsigned depth = old.depth() + 1;
  if (depth > kDepthMax) return false;

  if (old.depth() == depth_) {
    double_directory(tally);
    index *= 2;
  }
  Segment halves[2];
  for (int i = 0; i < 2; ++i) {
    halves[i] = new_segment(size_for(counts[i], kPercentAfterSplit), depth, tally);
  }
  for (std::uint32_t i = 0; i < old.size(); ++i) {
    // The keys are scattered in memory: prefetch the next bucket's while hashing this one's.
    if (i + 1 < old.size()) {
      for (const Word word : old.buckets()[i + 1].words) prefetch_line(entry_of(word));
    }
    const Bucket& bucket = old.buckets()[i];
    for (unsigned bits = bucket.used(); bits != 0; bits &= bits - 1) {
      const auto at = static_cast<unsigned>(__builtin_ctz(bits));
      const Entry* entry = entry_of(bucket.words[at]);
      const std::uint64_t hash = hasher.hash(entry->key(), hasher.seed);
      const Segment half = halves[bucket.words[at] >> 63];
      place(half, make_word(entry, half.h16(hash)), bucket.tags[at]);
    }
  }
  const std::size_t neighbours = std::size_t{1} << (depth_ - depth);
  const std::size_t base = index & ~(2 * neighbours - 1);
  for (std::size_t i = 0; i < 2; ++i) {
    set_segment_count(halves[i], counts[i]);
    set_segment(base + i * neighbours, halves[i]);
  }
  free_segment(old, tally);
  return true;
}

void Table::double_directory(MemoryTally& tally) {
  const std::size_t segments = std::size_t{1} << depth_;
  Segment* wider = new_directory(depth_ + 1u, tally);
  for (std::size_t i = 0; i < segments; ++i) wider[2 * i] = wider[2 * i + 1] = segment_at(i);
  if (depth_) tally.free(directory_);
  directory_ = wider;
  ++depth_;
}

// --- erasing -----------------------------------------------------------------------------------

void Table::erase(Word* word, std::uint64_t hash, MemoryTally& tally) {
  const Segment segment = segment_at(index_of(hash));
  const auto distance =
      reinterpret_cast<const char*>(word) - reinterpret_cast<const char*>(segment.buckets());
  const auto found =
      static_cast<std::uint32_t>(static_cast<std::size_t>(distance) / sizeof(Bucket));
  ASSERT(found < segment.size());
  for (auto i = segment.home(segment.h16(hash)); i != found; i = segment.after(i)) {
    std::uint8_t& passed = segment.buckets()[i].passed;
    if (passed != Bucket::kPassedMax) --passed;
  }
  Bucket& bucket = segment.buckets()[found];
  bucket.tags[word - bucket.words] = 0;
  *word = 0;

  const std::uint32_t count = segment_count(segment) - 1;
  --count_;
  set_segment_count(segment, count);
  const std::size_t index = index_of(hash);
  if (count == 0 || count * 100 < segment.size() * kPlaces * kPercentShrink) {
    if (const auto size = size_for(count, kPercentAfterShrink); size < segment.size()) {
      resize(index, size, tally);
    }
  }
  while (depth_ > 0 && merge_with_sibling(index_of(hash), tally)) {
  }
}

bool Table::merge_with_sibling(std::size_t index, MemoryTally& tally) {
  const unsigned depth = segment_at(index).depth();
  if (depth == 0) return false;
  const std::size_t neighbours = std::size_t{1} << (depth_ - depth);
  const std::size_t base = index & ~(2 * neighbours - 1);
  const Segment halves[2] = {directory_[base], directory_[base + neighbours]};
  if (halves[0].depth() != depth || halves[1].depth() != depth) return false;
  const std::uint32_t count = segment_count(halves[0]) + segment_count(halves[1]);
  if (count > kMergeMax) return false;

  const Segment whole = new_segment(size_for(count, kPercentAfterShrink), depth - 1, tally);
  for (std::uint64_t i = 0; i < 2; ++i) {
    each_word(halves[i], [&](Word word, std::uint8_t tag) {
      const std::uint64_t h16 = (word >> 49) | i << 15;
      place(whole, (word & kPointerBits) | h16 << 48, tag);
    });
  }
  set_segment_count(whole, count);
  set_segment(base, whole);
  free_segment(halves[0], tally);
  free_segment(halves[1], tally);
  halve_directory(tally);
  return true;
}

// As long as no segment needs the last bit of the directory.
void Table::halve_directory(MemoryTally& tally) {
  while (depth_ > 0) {
    const std::size_t segments = std::size_t{1} << depth_;
    for (std::size_t i = 0; i < segments; i += 2) {
      if (directory_[i].depth() == depth_) return;
    }
    Segment* old = directory_;
    if (depth_ == 1) {
      only_ = old[0];
    } else {
      directory_ = new_directory(depth_ - 1u, tally);
      for (std::size_t i = 0; i < segments / 2; ++i) directory_[i] = old[2 * i];
    }
    --depth_;
    tally.free(old);
  }
}

// --- walking -----------------------------------------------------------------------------------

Table::Slice Table::slice(std::uint64_t from, std::size_t count) const {
  const std::size_t index = depth_ ? from >> (kPositionBits - depth_) : 0;
  Slice slice;
  slice.segment = segment_at(index);
  const unsigned depth = slice.segment.depth();
  const unsigned below = kDepthMax - depth;  // position bits under the h16
  const std::uint64_t base = from >> (kPositionBits - depth) << (kPositionBits - depth);
  slice.first = static_cast<std::uint32_t>((from - base) >> below);

  const std::uint64_t here = segment_count(slice.segment);
  std::uint64_t width = std::uint64_t{1} << 16;
  if (here > count) width = std::max<std::uint64_t>(1, (std::uint64_t{count} << 16) / here);
  slice.end = static_cast<std::uint32_t>(std::min<std::uint64_t>(1u << 16, slice.first + width));

  const std::uint64_t next = base + (std::uint64_t{slice.end} << below);
  if (next >> kPositionBits == 0) slice.next = next;
  return slice;
}

Entry* Table::sample(std::uint64_t random) const {
  if (count_ == 0) return nullptr;
  std::size_t index = index_of(random);
  // Segments of a directory have about as many keys as their share of it; for an empty one its
  // neighbour is tried.
  while (segment_count(segment_at(index)) == 0) {
    index = (index + 1) & ((std::size_t{1} << depth_) - 1);
  }
  const Segment segment = segment_at(index);
  auto rank = static_cast<std::uint32_t>((random & UINT32_MAX) * segment_count(segment) >> 32);
  for (std::uint32_t i = 0; i < segment.size(); ++i) {
    const Bucket& bucket = segment.buckets()[i];
    unsigned bits = bucket.used();
    const auto here = static_cast<std::uint32_t>(std::popcount(bits));
    if (rank >= here) {
      rank -= here;
      continue;
    }
    for (; rank > 0; --rank) bits &= bits - 1;
    return entry_of(bucket.words[__builtin_ctz(bits)]);
  }
  UNREACHABLE();
}

}  // namespace slotcar::keyspace
