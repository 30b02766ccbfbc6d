// Packs: elements in one run of bytes.
//
// Listpack is readable from both ends. Its layout is Redis's, bit for bit, because DUMP and
// snapshots contain lists and the nodes of lists and streams in this form:
//
//   4 bytes total size, 2 bytes number of elements (65535: count them), elements, 0xff
//   an element: its encoding (element.h), then that encoding's length, written so that it can be
//   read backwards: seven bits a byte, the last byte has the lowest, the high bit says "go on left"
//
// Frontpack is readable from the front only, for small hashes, sets and sorted sets: they are never
// read backwards, and one byte per short element is a tenth of the size. DUMP and snapshots contain
// them as listpacks (as_listpack).
//
//   0xfe (no intset begins with it), 2 bytes number of elements, encodings of elements, 0xff
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
  std::size_t size() const;  // elements; O(n) if there are 65535 or more
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
  // Element `index`, counted from 0, or from -1 backwards; from the nearer end if both directions
  // are possible.
  Place seek(std::int64_t index) const;

  // The first element equal to `wanted`, from `from` on, comparing only every (skip+1)th.
  Place find(const Encoded& wanted, Place from, unsigned skip = 0) const;

  // Whether untrusted bytes are such a pack: sizes, ends, every element and its back
  // length, and the count.
  static bool is_valid(std::string_view bytes);

 protected:
  // With its back length, if it has one.
  std::size_t whole_size(Place at) const;
  Place before(std::size_t end) const;  // only where there are back lengths

  static constexpr std::size_t kCountOffset = kHeaderBytes - sizeof(std::uint16_t);

  std::string_view bytes_;
};

// For changing one. The cell contains such a pack, or nothing yet.
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
  // The elements must not point into the pack itself. Each returns where the (first) element is
  // now; earlier places are invalid.
  Place insert(Place before, Elements elements);  // kNone: at the end
  Place append(const Element& element) { return insert(kNone, {element}); }
  Place prepend(const Element& element) { return insert(first(), {element}); }
  Place replace(Place at, const Element& element);
  // Returns the next element, or kNone.
  Place erase(Place at, std::size_t count = 1);
  // Removes elements equal to `wanted`, at most `max`, after skipping `skip` of them; returns how
  // many. One pass, however many are removed.
  std::size_t erase_equal(const Encoded& wanted, std::size_t skip, std::size_t max);

  // How many bytes these elements would add.
  static std::size_t cost(Elements elements);
  // One element as stored in a pack: its size, and writing it (returns the end). For code that
  // builds packs itself.
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

// The first byte of a frontpack.
inline constexpr char kFrontpackMark = '\xfe';

// The elements of a frontpack as a listpack.
std::string as_listpack(FrontpackView pack);

}  // namespace slotcar::types
