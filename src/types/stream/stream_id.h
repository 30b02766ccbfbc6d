// StreamId: the id of a stream entry: milliseconds and a sequence number within them.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace slotcar::types {

struct StreamId {
  std::uint64_t ms = 0;
  std::uint64_t seq = 0;

  friend constexpr auto operator<=>(const StreamId&, const StreamId&) = default;
  static constexpr StreamId max() { return {UINT64_MAX, UINT64_MAX}; }
  constexpr bool is_zero() const { return ms == 0 && seq == 0; }

  // Moves to the next id. False: there is none, and the id is unchanged.
  bool step_up();
  bool step_down();

  // "ms-seq"; the text has room for the longest.
  static constexpr std::size_t kTextMax = 41;
  using Text = char[kTextMax];
  std::string_view print(Text& text) const;
  std::string text() const;
};

// Reads "ms-seq" or "ms" (the sequence is then `missing_seq`), with Redis's leniency: leading
// zeros, spaces and a plus are accepted, and the text ends at its first zero byte. False: not an
// id.
bool read_stream_id(std::string_view text, std::uint64_t missing_seq, StreamId& id);
// The same, or "ms-*" (then `any_seq` is set and the sequence 0).
bool read_stream_id_or_any(std::string_view text, StreamId& id, bool& any_seq);
// The same, or "-" and "+", the smallest and the largest id.
bool read_stream_bound(std::string_view text, std::uint64_t missing_seq, StreamId& id);

}  // namespace slotcar::types
