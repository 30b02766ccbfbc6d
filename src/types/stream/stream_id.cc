#include "types/stream/stream_id.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/numbers.h"

namespace slotcar::types {

namespace {

// Longer text is refused by Redis before it is looked at.
constexpr std::size_t kReadableMax = 127;

// One part of an id. Most are plain numbers; everything else is left to the C library, as in
// Redis.
bool read_part(std::string_view digits, std::uint64_t& value) {
  std::int64_t number = 0;
  if (base::read_int64(digits, number)) {
    value = static_cast<std::uint64_t>(number);
    return number >= 0;
  }
  if (digits.empty()) return false;
  char buffer[kReadableMax + 1];
  std::memcpy(buffer, digits.data(), digits.size());
  buffer[digits.size()] = '\0';
  char* end = nullptr;
  errno = 0;
  value = std::strtoull(buffer, &end, 10);
  return *end == '\0' && errno == 0;
}

bool read_parts(std::string_view text, std::uint64_t missing_seq, StreamId& id, bool* any_seq) {
  if (text.size() > kReadableMax) return false;
  text = text.substr(0, text.find('\0'));
  const std::size_t dash = text.find('-');
  if (!read_part(text.substr(0, dash), id.ms)) return false;
  if (dash == std::string_view::npos) {
    id.seq = missing_seq;
    return true;
  }
  const std::string_view seq = text.substr(dash + 1);
  if (any_seq != nullptr && seq == "*") {
    *any_seq = true;
    id.seq = 0;
    return true;
  }
  return read_part(seq, id.seq);
}

bool is_bound(std::string_view text, char which) {
  return !text.empty() && text[0] == which && (text.size() == 1 || text[1] == '\0') &&
         text.size() <= kReadableMax;
}

}  // namespace

bool StreamId::step_up() {
  if (seq != UINT64_MAX) {
    ++seq;
    return true;
  }
  if (ms == UINT64_MAX) return false;
  ++ms;
  seq = 0;
  return true;
}

bool StreamId::step_down() {
  if (seq != 0) {
    --seq;
    return true;
  }
  if (ms == 0) return false;
  --ms;
  seq = UINT64_MAX;
  return true;
}

std::string_view StreamId::print(Text& text) const {
  auto size = static_cast<std::size_t>(base::print_uint64(text, ms));
  text[size++] = '-';
  size += static_cast<std::size_t>(base::print_uint64(text + size, seq));
  return {text, size};
}

std::string StreamId::text() const {
  Text buffer;
  return std::string(print(buffer));
}

bool read_stream_id(std::string_view text, std::uint64_t missing_seq, StreamId& id) {
  if (is_bound(text, '-') || is_bound(text, '+')) return false;
  return read_parts(text, missing_seq, id, nullptr);
}

bool read_stream_id_or_any(std::string_view text, StreamId& id, bool& any_seq) {
  any_seq = false;
  if (is_bound(text, '-') || is_bound(text, '+')) return false;
  return read_parts(text, 0, id, &any_seq);
}

bool read_stream_bound(std::string_view text, std::uint64_t missing_seq, StreamId& id) {
  if (is_bound(text, '-')) {
    id = {};
    return true;
  }
  if (is_bound(text, '+')) {
    id = StreamId::max();
    return true;
  }
  return read_parts(text, missing_seq, id, nullptr);
}

}  // namespace slotcar::types
