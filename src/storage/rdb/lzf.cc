#include "storage/rdb/lzf.h"

#include <liblzf/lzf.h>

#include <climits>
#include <cstdint>
#include <cstring>

namespace slotcar::storage {

namespace {

// A repetition takes three bytes and expands to at most 264; nothing expands further.
constexpr std::size_t kRepetitionBytes = 3;
constexpr std::size_t kRepetitionMax = 264;
// A byte below this is the number, less one, of literal bytes that follow.
constexpr std::uint8_t kPlainMax = 32;

// Copies from `distance` bytes before, which may overlap the bytes that this call writes: "abc"
// becomes "abcabc".
void repeat(char* to, std::size_t distance, std::size_t length) {
  if (distance == 1) {
    std::memset(to, to[-1], length);
  } else if (distance >= length) {
    std::memcpy(to, to - distance, length);
  } else {
    for (std::size_t i = 0; i < length; ++i) to[i] = *(to + i - distance);
  }
}

}  // namespace

bool lzf_pack(std::string_view bytes, std::string& out) {
  constexpr std::size_t kGainMin = 4;
  if (bytes.size() <= kGainMin || bytes.size() > UINT_MAX) return false;
  const std::size_t before = out.size();
  const std::size_t room = bytes.size() - kGainMin;
  out.resize(before + room);
  const unsigned size = lzf_compress(bytes.data(), static_cast<unsigned>(bytes.size()),
                                     out.data() + before, static_cast<unsigned>(room));
  out.resize(before + size);  // 0: it did not fit
  return size != 0;
}

bool lzf_may_unpack_to(std::size_t packed_size, std::size_t size) {
  return size > 0 && size <= UINT_MAX && packed_size > 0 && packed_size <= UINT_MAX &&
         size / kRepetitionMax <= packed_size / kRepetitionBytes + 1;
}

// Not the library's: that copies byte by byte, and a snapshot has millions of short strings that
// consist mostly of one repetition.
bool lzf_unpack(std::string_view packed, char* out, std::size_t size) {
  const char* at = packed.data();
  const char* const end = at + packed.size();
  std::size_t done = 0;
  while (at < end) {
    const auto word = static_cast<std::uint8_t>(*at++);
    if (word < kPlainMax) {
      const std::size_t run = word + 1u;
      if (run > static_cast<std::size_t>(end - at) || run > size - done) return false;
      std::memcpy(out + done, at, run);
      at += run;
      done += run;
      continue;
    }
    std::size_t length = (word >> 5) + 2u;
    if (word >> 5 == 7) {
      if (at == end) return false;
      length += static_cast<std::uint8_t>(*at++);
    }
    if (at == end) return false;
    const std::size_t distance = ((word & 31u) << 8 | static_cast<std::uint8_t>(*at++)) + 1;
    if (distance > done || length > size - done) return false;
    repeat(out + done, distance, length);
    done += length;
  }
  return done == size;
}

}  // namespace slotcar::storage
