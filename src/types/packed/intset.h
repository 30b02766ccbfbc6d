// Intset: a set of integers as a sorted array. The layout is Redis's, bit for bit, because DUMP and
// snapshots contain small sets of integers in this form:
//
//   4 bytes width of an integer (2, 4 or 8), 4 bytes number of them, the integers, ascending
//
// All have the width of the widest number ever added; removing does not narrow it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "types/cell.h"

namespace slotcar::types {

class IntsetView {
 public:
  static constexpr std::size_t kHeaderBytes = 8;

  explicit IntsetView(std::string_view bytes) : bytes_(bytes) {}

  std::size_t size() const { return load(4); }
  std::size_t width() const { return load(0); }
  std::int64_t at(std::size_t index) const { return at(index, width()); }
  std::int64_t least() const { return at(0); }
  std::int64_t greatest() const { return at(size() - 1); }
  bool contains(std::int64_t number) const;

  // How many bytes it would take with this number added.
  std::size_t bytes_with(std::int64_t number) const;

  static std::size_t width_of(std::int64_t number);
  // Whether untrusted bytes are a non-empty intset: a known width, the right
  // size, and each number greater than the one before.
  static bool is_valid(std::string_view bytes);

 protected:
  std::uint32_t load(std::size_t offset) const;
  std::int64_t at(std::size_t index, std::size_t width) const;
  // The first place whose number is not less.
  std::size_t lower_bound(std::int64_t number) const;

  std::string_view bytes_;
};

// For changing one. The cell contains an intset, or nothing yet.
class Intset : public IntsetView {
 public:
  explicit Intset(Cell& cell);

  bool add(std::int64_t number);     // false: it was there already
  bool remove(std::int64_t number);  // false: it was not there
  void remove_at(std::size_t index);

 private:
  void widen(std::size_t width, std::int64_t number);
  void store(std::size_t index, std::int64_t number, std::size_t width);
  void store_size(std::size_t size);

  Cell* cell_;
};

}  // namespace slotcar::types
