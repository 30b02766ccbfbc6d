// ScoreLeaf: the leaf of a sorted set's score tree. Its elements are in the order of the sorted
// set: by score, equal scores by the bytes of the member.
//
//   slots     from the front: score (8 bytes) and spot (2 bytes) of each element, in order. A spot
//             says where the member's bytes lie, counted back from the end of the leaf, so that it
//             stays true when the leaf grows
//   bytes     from the end: a member with its length before it; or, if the member is long, a
//             pointer to a counted buffer that contains it
//
//
// So a new element moves slots, never members, and a changed score does not move the member's
// bytes. The space of removed members is reclaimed when room is needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/shared_bytes.h"
#include "types/tree/tree_node.h"

namespace slotcar::types {

class ScoreLeaf : public TreeNode {
 public:
  // The score and the prefix of the first element at or after it. Where both are equal the element
  // itself decides (Tree::first_leaf).
  struct Separator {
    double score = 0;
    std::uint64_t prefix = 0;
  };

  static constexpr std::size_t kItemsMax = 128;
  static constexpr std::size_t kBytesFull = 4096;
  // Longer members are outside; a copy of the leaf then shares them.
  static constexpr std::size_t kInlineMax = 1024;

  static ScoreLeaf* make(std::size_t room = 0);
  static ScoreLeaf* clone(const ScoreLeaf& leaf);
  static void free(ScoreLeaf* leaf);

  double score(std::size_t at) const {
    double score;
    std::memcpy(&score, slot(at), sizeof score);
    return score;
  }
  std::string_view member(std::size_t at) const {
    const std::uint16_t spot = spot_of(at);
    const char* here = end() - (spot & kSpotMask);
    if (spot & kOutside) [[unlikely]]
      return outside_at(here);
    const auto first = static_cast<std::uint8_t>(*here);
    if (!(first & kLong)) return {here + 1, first};
    const std::size_t high = first ^ kLong;
    return {here + 2, high << 8 | static_cast<std::uint8_t>(here[1])};
  }

  // The first eight bytes as a number that orders as they do; a short member is padded with zeros.
  static std::uint64_t prefix_of(std::string_view member) {
    std::uint64_t prefix = 0;
    if (!member.empty()) {
      std::memcpy(&prefix, member.data(), member.size() < 8 ? member.size() : 8);
    }
    return __builtin_bswap64(prefix);
  }
  Separator separator() const { return {score(0), prefix_of(member(0))}; }

  // The first element that is not before (score, member).
  std::size_t lower_bound(double score, std::string_view member) const;
  // The first element for which `lies_before(at)` is false; it is true for all before it.
  template <class LiesBefore>
  std::size_t partition_point(const LiesBefore& lies_before) const {
    std::size_t low = 0;
    std::size_t high = count;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (lies_before(middle)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  // Each may move the leaf. The member must not point into the leaf.
  static void insert(ScoreLeaf*& leaf, std::size_t at, double score, std::string_view member);
  static void erase(ScoreLeaf*& leaf, std::size_t at, std::size_t how_many = 1);
  // Gives the element another score and moves it to index `to`, counted without it.
  void move(std::size_t from, std::size_t to, double score);

  std::size_t items() const { return count; }
  std::size_t footprint() const;
  bool is_full() const { return count > kItemsMax || (live_bytes() > kBytesFull && count > 1); }
  bool is_sparse() const { return count < kItemsMax / 4 && live_bytes() < kBytesFull / 4; }
  static ScoreLeaf* split(ScoreLeaf*& leaf, bool rightmost, Separator& at);
  static bool fit_together(const ScoreLeaf& left, const ScoreLeaf& right) {
    return left.count + right.count <= static_cast<int>(kItemsMax * 3 / 4) &&
           left.live_bytes() + right.live_bytes() <= kBytesFull * 3 / 4;
  }
  static void join(ScoreLeaf*& left, const ScoreLeaf& right);

 private:
  static constexpr std::size_t kSlotBytes = sizeof(double) + sizeof(std::uint16_t);
  static constexpr std::uint16_t kSpotMask = 0x7fff;
  static constexpr std::uint16_t kOutside = 0x8000;
  static constexpr std::uint8_t kLong = 0x80;  // the length takes two bytes

  char* bytes() { return reinterpret_cast<char*>(this + 1); }
  const char* bytes() const { return reinterpret_cast<const char*>(this + 1); }
  char* end() { return bytes() + room_; }
  const char* end() const { return bytes() + room_; }
  char* slot(std::size_t at) { return bytes() + at * kSlotBytes; }
  const char* slot(std::size_t at) const { return bytes() + at * kSlotBytes; }
  std::uint16_t spot_of(std::size_t at) const {
    std::uint16_t spot;
    std::memcpy(&spot, slot(at) + sizeof(double), sizeof spot);
    return spot;
  }
  void set_slot(std::size_t at, double score, std::uint16_t spot) {
    std::memcpy(slot(at), &score, sizeof score);
    std::memcpy(slot(at) + sizeof score, &spot, sizeof spot);
  }
  static std::string_view outside_at(const char* here);
  std::size_t stored_size(std::size_t at) const;
  static std::size_t stored_size(std::string_view member);
  std::size_t live_bytes() const { return count * kSlotBytes + used_; }

  static ScoreLeaf* with_room(std::size_t bytes);
  void append_slots_of(const ScoreLeaf& from, std::size_t first, std::size_t last);
  static void make_room(ScoreLeaf*& leaf, std::size_t more);
  void let_go(std::size_t at);
  void close_up(std::size_t at);

  std::uint32_t used_ = 0;         // bytes at the end
  std::uint32_t room_ = 0;         // bytes behind the header
  std::size_t outside_bytes_ = 0;  // what the buffers of long members take
};

}  // namespace slotcar::types
