// Packs: elements in one run of bytes.
//
// Listpack is readable from both ends. Its layout is Redis's, bit for bit, because lists, the nodes
// of lists and of streams travel as such in DUMP and snapshots:
//
//   4 bytes total size, 2 bytes number of elements (65535: count them), elements, 0xff
//   an element: its encoding (element.h), then that encoding's length, written so that it can be
//   read backwards: seven bits a byte, the last byte has the lowest, the high bit says "go on left"
//
// Frontpack is readable from the front only, for small hashes, sets and sorted sets: nobody goes
// through them from behind, and of short elements a byte each is a tenth. They travel as listpacks
// (as_listpack).
//
//   0xfe (no intset begins so), 2 bytes number of elements, encodings of elements, 0xff
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "types/cell.h"
#include "types/element.h"

namespace slotcar::types {

template <bool kBackLengths>
class PackView {
 public:
  // Where an element begins. kNone: none (before the first, after the last).
  using Place = std::uint32_t;
  static constexpr Place kNone = 0;
  static constexpr std::size_t kHeaderBytes = kBackLengths ? 6 : 3;
  static constexpr std::size_t kEmptyBytes = kHeaderBytes + 1;

  explicit PackView(std::string_view bytes) : bytes_(bytes) {}

  std::string_view bytes() const { return bytes_; }
  std::size_t size() const;  // elements; a walk if there are 65535 or more
  bool empty() const { return bytes_.size() == kEmptyBytes; }

  Place first() const { return empty() ? kNone : static_cast<Place>(kHeaderBytes); }
  Place last() const requires kBackLengths { return empty() ? kNone : before(bytes_.size() - 1); }
  Place next(Place at) const {
    const std::size_t after = at + whole_size(at);
    return after + 1 == bytes_.size() ? kNone : static_cast<Place>(after);
  }
  Place prev(Place at) const requires kBackLengths {
    return at == kHeaderBytes ? kNone : before(at);
  }
  Element at(Place at) const { return decode(bytes_.data() + at); }
  // The element number `index`, counted from 0, or from -1 backwards; from the nearer end if there
  // is a way from both.
  Place seek(std::int64_t index) const;

  // The first element equal to `wanted`, from `from` on, looking at each (skip+1)th only.
  Place find(const Encoded& wanted, Place from, unsigned skip = 0) const;

  // Whether bytes that came from outside are such a pack: sizes, ends, every element and its back
  // length, and the count.
  static bool is_valid(std::string_view bytes);

 protected:
  // With its back length, if it has one.
  std::size_t whole_size(Place at) const;
  Place before(std::size_t end) const;  // only where there are back lengths

  static constexpr std::size_t kCountOffset = kHeaderBytes - sizeof(std::uint16_t);

  std::string_view bytes_;
};

// To change one. The cell holds such a pack, or nothing yet.
template <bool kBackLengths>
class Pack : public PackView<kBackLengths> {
 public:
  using View = PackView<kBackLengths>;
  using typename View::Place;
  using View::first;
  using View::kEmptyBytes;
  using View::kHeaderBytes;
  using View::kNone;
  using View::size;

  explicit Pack(Cell& cell);

  using Elements = std::initializer_list<Element>;
  // The elements must not point into the pack itself. Each answers where the (first) element
  // stands now; places known before are void.
  Place insert(Place before, Elements elements);  // kNone: at the end
  Place append(const Element& element) { return insert(kNone, {element}); }
  Place prepend(const Element& element) { return insert(first(), {element}); }
  Place replace(Place at, const Element& element);
  // Answers the element that follows, or kNone.
  Place erase(Place at, std::size_t count = 1);
  // Takes out elements equal to `wanted`, `max` at most, after having passed `skip` of them; says
  // how many. One pass, however many go.
  std::size_t erase_equal(const Encoded& wanted, std::size_t skip, std::size_t max);

  // How many bytes these elements would add.
  static std::size_t cost(Elements elements);
  // One element as it stands in a pack: how many bytes, and writing them (the answer is where they
  // end). For those who lay out packs themselves.
  static std::size_t stored_size(const Encoded& encoded);
  static char* store(char* out, const Encoded& encoded);

 private:
  using View::bytes_;
  using View::kCountOffset;
  using View::whole_size;
  void set_header(std::int64_t added);
  char* splice(std::size_t at, std::size_t removed, std::size_t added);

  Cell* cell_;
};

using ListpackView = PackView<true>;
using Listpack = Pack<true>;
using FrontpackView = PackView<false>;
using Frontpack = Pack<false>;
extern template class PackView<true>;
extern template class PackView<false>;
extern template class Pack<true>;
extern template class Pack<false>;

// What a frontpack begins with.
inline constexpr char kFrontpackMark = '\xfe';

// The elements of a frontpack as a listpack.
std::string as_listpack(FrontpackView pack);

}  // namespace slotcar::types
