// LongPart: a long run of bytes that a text references instead of containing. The text is stored
// without its parts; a part's place is the number of the text's own bytes before it. So the code
// that makes the text (an effect, under a token) copies nothing long, and the code that needs all
// of it (the log's thread) reads it piece by piece.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/long_reading.h"

namespace slotcar::base {

struct LongPart {
  std::size_t at = 0;  // number of the text's own bytes before it
  std::unique_ptr<LongReading> bytes;
};
using LongParts = std::vector<LongPart>;  // `at` ascending

inline std::size_t bytes_of(const LongParts& parts) {
  std::size_t sum = 0;
  for (const LongPart& part : parts) sum += part.bytes->size();
  return sum;
}

// Passes the whole text in order to `put(piece)` until that returns false. `room` is the buffer for
// reading a part, as much at a time as fits. Returns whether everything was put.
template <class Put>
bool put_pieces(std::string_view own, const LongParts& parts, std::string& room, const Put& put) {
  std::size_t at = 0;
  for (const LongPart& part : parts) {
    if (part.at != at && !put(own.substr(at, part.at - at))) return false;
    at = part.at;
    for (std::size_t from = 0; from < part.bytes->size();) {
      const std::size_t size = std::min(room.size(), part.bytes->size() - from);
      part.bytes->read(from, room.data(), size);
      if (!put(std::string_view(room.data(), size))) return false;
      from += size;
    }
  }
  return at == own.size() || put(own.substr(at));
}

// For callers that need it in one piece (tests).
inline std::string joined(std::string_view own, const LongParts& parts) {
  std::string whole;
  std::string room(LongReading::kPageBytes, '\0');
  put_pieces(own, parts, room, [&whole](std::string_view piece) {
    whole += piece;
    return true;
  });
  return whole;
}

}  // namespace slotcar::base
