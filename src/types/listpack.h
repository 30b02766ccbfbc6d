// Listpack: elements in one run of bytes, readable from both ends. The layout is Redis's, bit for
// bit, because small hashes, lists, sorted sets and the nodes of lists and streams travel as such
// in DUMP and snapshots:
//
//   4 bytes total size, 2 bytes number of elements (65535: count them), elements, 0xff
//   an element: its encoding (element.h), then that encoding's length, written so that it can be
//   read backwards: seven bits a byte, the last byte has the lowest, the high bit says "go on left"
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "types/cell.h"
#include "types/element.h"

namespace slotcar::types {

class ListpackView {
 public:
  // Where an element begins. kNone: none (before the first, after the last).
  using Place = std::uint32_t;
  static constexpr Place kNone = 0;
  static constexpr std::size_t kHeaderBytes = 6;
  static constexpr std::size_t kEmptyBytes = 7;

  explicit ListpackView(std::string_view bytes) : bytes_(bytes) {}

  std::string_view bytes() const { return bytes_; }
  std::size_t size() const;  // elements; a walk if there are 65535 or more
  bool empty() const { return bytes_.size() == kEmptyBytes; }

  Place first() const { return empty() ? kNone : static_cast<Place>(kHeaderBytes); }
  Place last() const { return empty() ? kNone : before(bytes_.size() - 1); }
  Place next(Place at) const {
    const std::size_t after = at + whole_size(at);
    return after + 1 == bytes_.size() ? kNone : static_cast<Place>(after);
  }
  Place prev(Place at) const { return at == kHeaderBytes ? kNone : before(at); }
  Element at(Place at) const { return decode(bytes_.data() + at); }
  // The element number `index`, counted from 0, or from -1 backwards; from the nearer end.
  Place seek(std::int64_t index) const;

  // The first element equal to `wanted`, from `from` on, looking at each (skip+1)th only.
  Place find(const Encoded& wanted, Place from, unsigned skip = 0) const;

  // Whether bytes that came from outside are a listpack: sizes, ends, every element and its back
  // length, and the count.
  static bool is_valid(std::string_view bytes);

 protected:
  // With its back length.
  std::size_t whole_size(Place at) const;
  Place before(std::size_t end) const;

  std::string_view bytes_;
};

// To change one. The cell holds a listpack, or nothing yet.
class Listpack : public ListpackView {
 public:
  explicit Listpack(Cell& cell);

  using Elements = std::initializer_list<Element>;
  // The elements must not point into the listpack itself. Each answers where the (first) element
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
  // One element as it stands in a listpack, with its back length: how many bytes, and writing them
  // (the answer is where they end). For those who lay out listpacks themselves.
  static std::size_t stored_size(const Encoded& encoded);
  static char* store(char* out, const Encoded& encoded);

 private:
  void set_header(std::int64_t added);
  char* splice(std::size_t at, std::size_t removed, std::size_t added);

  Cell* cell_;
};

}  // namespace slotcar::types
