// Table: the keys of one slot in one database. Sixteen bytes while empty; one allocation up to a
// few hundred keys; no insert ever moves more than one segment of at most 896 places.
//
// How it lies in memory
//   Entries are in *segments*: arrays of n buckets of 128 bytes. A bucket is one line of tags (8
//   bits of the hash each, compared all at once) and 14 words. A word is the entry's address (48
//   bits) and, in its top 16 bits, `h16`: the 16 hash bits just below those that chose the segment.
//   An entry's home is bucket h16 * n / 65536: position order is hash order, for any n. If the home
//   is full the entry goes to the next bucket with room, wrapping inside the segment, and each full
//   bucket on the way counts the entries that passed it. A lookup stops at the first bucket that no
//   entry passed; a delete decrements the counts, so there are no tombstones. A count that reached
//   255 is unknown and stays there until the segment is rebuilt: lookups may go too far, but never
//   stop too early.
//
// How it grows
//   A segment grows by an eighth to a quarter at a time (to the allocator's own sizes) when it is
//   9/10 full, so its load stays between 0.7 and 0.9 while keys are only added. Words contain the
//   h16, so growing reads no key. At 64 buckets it splits instead: extendible hashing, with a
//   directory of 2^depth segments chosen by the top bits of the hash. A segment of local depth d
//   is shared by 2^(depth - d) neighbours in the directory. Only a split needs bits that the words
//   do not have, and hashes the keys of that one segment again. Deletes shrink a segment under 0.3
//   load, and two sibling segments that are together under half full become one: their h16 lose
//   one bit at the bottom and gain, at the top, the bit that distinguished them; again no key is
//   read.
//
// Why a scan misses nothing
//   An entry's *position* is the top 48 bits of its hash: a property of the key alone. A scan
//   visits all entries whose position is in [from, to) and continues at `to`. A key that exists
//   during the whole scan is visited by the step whose interval contains its position, whatever was
//   rebuilt between the steps, because no rebuild changes a position, and the intervals of the
//   steps cover all positions without a gap. Intervals end where one h16 ends and the next begins,
//   so that words alone decide what is inside. If segments merged since `from` was returned, `from`
//   may be inside a coarser h16. Then the step begins at that h16's begin and some keys are seen
//   twice, as Redis allows; it still ends after `from`, so the scan ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/hash.h"
#include "base/match_bytes.h"
#include "keyspace/entry.h"
#include "keyspace/memory_tally.h"
#include "keyspace/prefetch.h"

namespace slotcar::keyspace {

inline constexpr std::uint64_t kPointerBits = (std::uint64_t{1} << 48) - 1;

struct Bucket {
  static constexpr unsigned kPlaces = 14;
  static constexpr unsigned kAllPlaces = (1u << kPlaces) - 1;
  static constexpr std::uint8_t kPassedMax = 255;

  std::uint8_t tags[kPlaces];  // 0: empty
  std::uint8_t passed;         // entries that found this bucket full; 255: or more
  std::uint8_t count_part;     // see Table::segment_count
  std::uint64_t words[kPlaces];

  // The places whose tag is this one, as bits.
  unsigned match(std::uint8_t tag) const {
    // Also reads the two bytes behind the tags, which belong to this bucket.
    return base::match_sixteen(tags, tag) & kAllPlaces;
  }
  unsigned empty() const { return match(0); }
  unsigned used() const { return ~empty() & kAllPlaces; }
};
static_assert(sizeof(Bucket) == 128);

// A segment as one word: where its buckets are, how many, and its local depth.
class Segment {
 public:
  static constexpr std::uint32_t kSizeLimit = 1023;

  Segment() = default;
  Segment(Bucket* buckets, std::uint32_t size, unsigned depth)
      : word_(reinterpret_cast<std::uint64_t>(buckets) | std::uint64_t{size} << 48 |
              std::uint64_t{depth} << 58) {}

  Bucket* buckets() const { return reinterpret_cast<Bucket*>(word_ & kPointerBits); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(word_ >> 48) & kSizeLimit; }
  unsigned depth() const { return static_cast<unsigned>(word_ >> 58); }

  std::uint32_t h16(std::uint64_t hash) const {
    return static_cast<std::uint32_t>((hash << depth()) >> 48);
  }
  std::uint32_t home(std::uint32_t h16) const { return (h16 * size()) >> 16; }
  std::uint32_t after(std::uint32_t bucket) const { return bucket + 1 == size() ? 0 : bucket + 1; }

 private:
  std::uint64_t word_ = 0;
};

// Recomputes the hash of a key, for a split.
struct TableHasher {
  base::HashSeed seed;
  std::uint64_t (*hash)(std::string_view key, base::HashSeed seed) = base::hash_bytes;
};

class Table {
 public:
  using Word = std::uint64_t;
  static constexpr unsigned kPositionBits = 48;
  static constexpr std::uint32_t kBucketsMax = 64;  // a segment of this size splits

  Table() = default;
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  std::uint32_t size() const { return count_; }

  // The word of a key, or null. Valid until the next insert or erase.
  Word* find(std::string_view key, std::uint64_t hash) const;
  static Entry* entry_of(Word word) { return reinterpret_cast<Entry*>(word & kPointerBits); }
  // The entry of this key has moved.
  static void replace(Word* word, Entry* entry) {
    *word = (*word & ~kPointerBits) | reinterpret_cast<std::uint64_t>(entry);
  }

  // The key must not exist.
  void insert(Entry* entry, std::uint64_t hash, const TableHasher& hasher, MemoryTally& tally);
  // `word` comes from find(); the caller frees the entry itself.
  void erase(Word* word, std::uint64_t hash, MemoryTally& tally);
  // Frees everything after passing each entry to `release`.
  template <class Release>
  void clear(Release&& release, MemoryTally& tally);
  // The same for one segment, at that index of the directory. Returns the index of the next; 0:
  // that was the last one, and the table is empty. Nothing else may be done in between.
  template <class Release>
  std::size_t clear_segment(std::size_t index, Release&& release, MemoryTally& tally);

  // One step of a scan: the entries of one segment with first <= h16 < end.
  struct Slice {
    Segment segment;
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    std::optional<std::uint64_t> next;  // the position where the next step begins
  };
  // About `count` entries from position `from` on. The table is not empty.
  Slice slice(std::uint64_t from, std::size_t count) const;
  template <class Visit>  // visit(Entry*)
  static void visit(const Slice& slice, Visit&& visit);

  // A random entry, each about equally likely; null if empty.
  Entry* sample(std::uint64_t random) const;

  void prefetch_bucket(std::uint64_t hash) const;
  const Entry* prefetch_entry(std::uint64_t hash) const;  // which one that probably is; or null

  unsigned depth() const { return depth_; }

  static std::uint8_t tag_of(std::uint64_t hash) {
    const auto tag = static_cast<std::uint8_t>(hash);
    return tag ? tag : 1;
  }

 private:
  std::size_t index_of(std::uint64_t hash) const { return depth_ ? hash >> (64 - depth_) : 0; }
  Segment segment_at(std::size_t index) const { return depth_ ? directory_[index] : only_; }
  std::size_t span(Segment segment) const { return std::size_t{1} << (depth_ - segment.depth()); }
  void set_segment(std::size_t index, Segment segment);

  // How many entries a segment has. Without a directory it is the table's count; otherwise it is in
  // a spare byte of its first two buckets (one bucket has 14 at most: one byte suffices).
  std::uint32_t segment_count(Segment segment) const;
  void set_segment_count(Segment segment, std::uint32_t count);

  void make_room(std::uint64_t hash, const TableHasher& hasher, MemoryTally& tally);
  void resize(std::size_t index, std::uint32_t size, MemoryTally& tally);
  bool split(std::size_t index, const TableHasher& hasher, MemoryTally& tally);
  void double_directory(MemoryTally& tally);
  bool merge_with_sibling(std::size_t index, MemoryTally& tally);
  void halve_directory(MemoryTally& tally);

  union {
    Segment only_ = {};   // depth_ == 0
    Segment* directory_;  // 2^depth_ of them
  };
  std::uint32_t count_ = 0;
  std::uint8_t depth_ = 0;
};
static_assert(sizeof(Table) == 16);

// --- the hot path, inline ----------------------------------------------------------------------

inline Table::Word* Table::find(std::string_view key, std::uint64_t hash) const {
  const Segment segment = segment_at(index_of(hash));
  const std::uint32_t h16 = segment.h16(hash);
  const std::uint8_t tag = tag_of(hash);
  std::uint32_t bucket_index = segment.home(h16);
  for (std::uint32_t left = segment.size(); left > 0; --left) {
    Bucket& bucket = segment.buckets()[bucket_index];
    for (unsigned bits = bucket.match(tag); bits != 0; bits &= bits - 1) {
      Word& word = bucket.words[__builtin_ctz(bits)];
      if (word >> 48 == h16 && entry_of(word)->key() == key) return &word;
    }
    if (__builtin_expect(bucket.passed == 0, 1)) return nullptr;
    bucket_index = segment.after(bucket_index);
  }
  return nullptr;
}

inline void Table::prefetch_bucket(std::uint64_t hash) const {
  const Segment segment = segment_at(index_of(hash));
  if (segment.size() == 0) return;
  prefetch_two_lines(segment.buckets() + segment.home(segment.h16(hash)));
}

inline const Entry* Table::prefetch_entry(std::uint64_t hash) const {
  const Segment segment = segment_at(index_of(hash));
  if (segment.size() == 0) return nullptr;
  const Entry* found = nullptr;
  const std::uint32_t h16 = segment.h16(hash);
  const Bucket& bucket = segment.buckets()[segment.home(h16)];
  for (unsigned bits = bucket.match(tag_of(hash)); bits != 0; bits &= bits - 1) {
    const Word word = bucket.words[__builtin_ctz(bits)];
    if (word >> 48 != h16) continue;
    found = entry_of(word);
    prefetch_two_lines(found);
  }
  return found;
}

template <class Visit>
void Table::visit(const Slice& slice, Visit&& visit) {
  const Segment segment = slice.segment;
  if (segment.size() == 0 || slice.first >= slice.end) return;
  const std::uint32_t first = segment.home(slice.first);
  const std::uint32_t last = segment.home(slice.end - 1);
  std::uint32_t index = first;
  for (std::uint32_t seen = 0; seen < segment.size(); ++seen) {
    const Bucket& bucket = segment.buckets()[index];
    for (unsigned bits = bucket.used(); bits != 0; bits &= bits - 1) {
      const Word word = bucket.words[__builtin_ctz(bits)];
      const auto h16 = static_cast<std::uint32_t>(word >> 48);
      if (h16 >= slice.first && h16 < slice.end) visit(entry_of(word));
    }
    // After the last home there are only entries that passed every bucket up to here.
    if (seen >= last - first && bucket.passed == 0) break;
    index = segment.after(index);
  }
}

template <class Release>
void Table::clear(Release&& release, MemoryTally& tally) {
  std::size_t index = 0;
  do {
    index = clear_segment(index, release, tally);
  } while (index != 0);
}

template <class Release>
std::size_t Table::clear_segment(std::size_t index, Release&& release, MemoryTally& tally) {
  const Segment segment = segment_at(index);
  visit(Slice{segment, 0, 1u << 16, {}}, release);
  if (segment.buckets()) tally.free(segment.buckets());
  index += span(segment);
  if (index < std::size_t{1} << depth_) return index;
  if (depth_) tally.free(directory_);
  only_ = {};
  count_ = 0;
  depth_ = 0;
  return 0;
}

}  // namespace slotcar::keyspace
