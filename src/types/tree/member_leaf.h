// MemberLeaf: the leaf of a MemberTree. Its members have hashes in one range, and are not sorted: a
// new one is appended, and the last one takes the place of a removed one. A lookup compares a byte
// of the hash with all of them at once, then the few that match.
//
//   tags[i]   the lowest byte of the member's hash
//   spots[i]  where its bytes begin (14 bits), whether it has a due time, whether it is outside
//   bytes     a member: encoded name, [encoded value], [8 bytes due time]; or, if that is long, 8
//             bytes: a pointer to a counted buffer that holds it
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/hash.h"
#include "base/ids.h"
#include "base/shared_bytes.h"
#include "types/element.h"
#include "types/tree/tree_node.h"

namespace slotcar::types {

// A view of a member; valid until the next change of its tree.
struct Member {
  Element name;
  Element value;  // of a hash's field
  UnixMs due = kNever;
};

inline std::uint64_t hash_of(const Element& element, base::HashSeed seed) {
  if (!element.is_integer) return base::hash_bytes(element.text, seed);
  return base::hash_bytes({reinterpret_cast<const char*>(&element.number), sizeof element.number},
                          base::HashSeed{~seed.value});
}

// A second hash, which orders members whose first hashes are equal. Never 0. Making members that
// collide requires the seed, but an attacker with a server's data could find it given enough time.
inline std::uint64_t tie_of(const Element& element, base::HashSeed seed) {
  const std::uint64_t tie = hash_of(element, base::HashSeed{seed.value + 0x9e3779b97f4a7c15u});
  return tie == 0 ? 1 : tie;
}

class MemberLeaf : public TreeNode {
 public:
  // The lower bound of the members, by hash and, only where more members than fit into a leaf have
  // the same hash, by their second hash. `tie` 0: any with that hash.
  struct Separator {
    std::uint64_t hash = 0;
    std::uint64_t tie = 0;
  };
  static constexpr std::size_t kMembersMax = 64;
  static constexpr std::size_t kBytesFull = 4096;
  static constexpr std::size_t kInlineMax = 1024;
  static constexpr std::size_t kNone = SIZE_MAX;
  static constexpr std::size_t kFirstLines = 4;  // all but the members' bytes
  static std::uint64_t hash_of_separator(const Separator& separator) { return separator.hash; }

  static MemberLeaf* make(bool with_values, base::HashSeed seed);
  static MemberLeaf* clone(const MemberLeaf& leaf);
  static void free(MemberLeaf* leaf);

  std::size_t find(const Encoded& name, std::uint64_t hash) const;
  // Prefetches the bytes of a member with that hash, or of the next one.
  void fetch_ahead(std::uint64_t hash) const;
  Member member(std::size_t at) const;
  UnixMs due(std::size_t at) const { return spots_[at] & kHasDue ? member(at).due : kNever; }
  // Whether the member may have this hash; false is certain.
  bool may_have(std::size_t at, std::uint64_t hash) const {
    return tags_[at] == static_cast<std::uint8_t>(hash);
  }
  std::uint64_t hash(std::size_t at) const { return hash_of(member(at).name, seed_); }
  std::uint64_t tie(std::size_t at) const { return tie_of(member(at).name, seed_); }

  // Each may move the leaf.
  static void add(MemberLeaf*& leaf, const Member& member, std::uint64_t hash);
  static void erase(MemberLeaf*& leaf, std::size_t at);
  // Sets the member's value and due time; its index may change.
  static void assign(MemberLeaf*& leaf, std::size_t at, const Member& member, std::uint64_t hash);

  std::size_t items() const { return count; }
  std::size_t footprint() const;
  bool is_full() const { return count == kMembersMax || (used_ > kBytesFull && count > 1); }
  bool is_sparse() const { return count < kMembersMax / 4 && used_ < kBytesFull / 4; }
  static MemberLeaf* split(MemberLeaf*& leaf, bool rightmost, Separator& at);
  static bool fit_together(const MemberLeaf& left, const MemberLeaf& right) {
    return left.count + right.count <= static_cast<int>(kMembersMax * 3 / 4) &&
           left.used_ + right.used_ <= kBytesFull * 3 / 4;
  }
  static void join(MemberLeaf*& left, const MemberLeaf& right);

 private:
  static constexpr std::uint16_t kSpotMask = 0x3fff;
  static constexpr std::uint16_t kHasDue = 0x4000;
  static constexpr std::uint16_t kOutside = 0x8000;

  char* bytes() { return reinterpret_cast<char*>(this + 1); }
  const char* bytes() const { return reinterpret_cast<const char*>(this + 1); }
  std::size_t spot(std::size_t at) const { return spots_[at] & kSpotMask; }
  void* outside(std::size_t at) const;  // the counted buffer
  std::size_t stored_size(std::size_t at) const;
  const char* body(std::size_t at) const;
  std::size_t body_size(const char* body, bool has_due) const;
  static void reserve(MemberLeaf*& leaf, std::size_t more);
  static void take(MemberLeaf*& to, const MemberLeaf& from, std::size_t at);
  using Marks = std::uint64_t[kMembersMax];
  static std::size_t cut_between(const Marks& marks, std::size_t total, std::uint64_t& least);
  static std::size_t written_size(const Member& member, bool with_values);
  static void write(char* out, const Member& member, bool with_values);

  alignas(16) std::uint8_t tags_[kMembersMax];
  std::uint16_t spots_[kMembersMax];
  base::HashSeed seed_;
  std::uint32_t used_ = 0;
  std::uint32_t outside_ = 0;  // how many are outside
  bool with_values_ = false;
};

}  // namespace slotcar::types
