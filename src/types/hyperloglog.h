// HyperLogLog: estimates how many different elements were seen, with a standard error of 0.81 %, in
// at most 12 KiB. It lives in a string whose bytes are those of Redis, so that they can be copied
// from one server to the other with GET and SET:
//
//   "HYLL" | encoding (0 dense, 1 sparse) | 3 unused | 8 bytes: the cached count | registers
//
// The count is little-endian; its highest bit says that it is out of date. There are 16384
// registers of 6 bits. Dense: one after the other, lowest bit first. Sparse: runs,
//   00nnnnnn            n + 1 registers are 0
//   01nnnnnn nnnnnnnn   n + 1 registers are 0
//   1vvvvvnn            n + 1 registers are v + 1
// A sparse one becomes dense when a register exceeds 32 or when it grows beyond
// hll-sparse-max-bytes, and never becomes sparse again.
//
// The bytes may come from any client (SET, RESTORE), so they are not trusted: the runs are checked
// wherever they are walked, and inconsistent ones are `corrupt`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "types/cell.h"
#include "types/settings.h"

namespace slotcar::types {

inline constexpr std::size_t kHllRegisters = 16384;
inline constexpr std::size_t kHllHeaderBytes = 16;
// The offset of the cached count in the header.
inline constexpr std::size_t kHllCountOffset = 8;
inline constexpr std::size_t kHllCountBytes = 8;
inline constexpr std::size_t kHllDenseBytes = kHllHeaderBytes + kHllRegisters * 6 / 8;

// One byte per register: the union of several HyperLogLogs.
struct HllRegisters {
  std::uint8_t values[kHllRegisters] = {};
  std::uint64_t count() const;
};

class HyperloglogView {
 public:
  // Whether the bytes can be one: magic, encoding, length. The other functions require that.
  static bool fits(std::string_view bytes);
  explicit HyperloglogView(std::string_view bytes) : bytes_(bytes) {}

  bool is_dense() const { return bytes_[4] == 0; }
  std::optional<std::uint64_t> cached_count() const;
  std::optional<std::uint64_t> count() const;  // nothing: corrupt
  // Each register becomes the larger of both. False: corrupt.
  bool merge_into(HllRegisters& into) const;
  // The runs of a sparse one as text ("z:12 v:3,1 Z:16371"); nothing: corrupt.
  std::optional<std::string> runs_as_text() const;

 private:
  std::string_view bytes_;
};

class Hyperloglog {
 public:
  // The cell contains bytes that fit, or is empty; then `create` must be called first.
  // `sparse_bytes_max`: beyond it a sparse one becomes dense.
  Hyperloglog(Cell& cell, std::int64_t sparse_bytes_max)
      : cell_(cell), sparse_bytes_max_(sparse_bytes_max) {}
  Hyperloglog(Cell& cell, const Settings& settings)
      : Hyperloglog(cell, settings.hll_sparse_max_bytes.get()) {}

  void create();
  HyperloglogView view() const { return HyperloglogView(cell_.packed()); }

  enum class Outcome : std::uint8_t { unchanged, changed, corrupt };
  Outcome add(std::string_view element);
  // Makes a register at least `value`, which is not zero.
  Outcome raise(std::size_t index, std::uint8_t value);
  bool become_dense();  // false: corrupt
  void remember_count(std::uint64_t count);
  void forget_count();  // after changes

 private:
  char* own() { return cell_.resize(cell_.size()); }
  Outcome raise_dense(std::size_t index, std::uint8_t value);
  Outcome raise_sparse(std::size_t index, std::uint8_t value);
  void replace_run(std::size_t at, std::size_t old_size, std::string_view with);
  void join_runs(std::size_t from);

  Cell& cell_;
  std::int64_t sparse_bytes_max_;
};

}  // namespace slotcar::types
