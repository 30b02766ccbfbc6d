// LZF: a byte below 32 says how many bytes (one more) follow as they are; any other begins a
// reference backwards: the top three bits are its length less two (7: a byte with the rest
// follows), the other five and the next byte its distance less one.
#include "storage/rdb/lzf_packer.h"

#include <algorithm>
#include <cstring>

namespace slotcar::storage {

namespace {

constexpr std::size_t kPlainMax = 32;
constexpr std::size_t kDistanceMax = 8192;
constexpr std::size_t kLengthMin = 3;
constexpr std::size_t kLengthMax = 264;
constexpr std::size_t kGainMin = 4;
// The step grows by one after so many places at which nothing was found.
constexpr int kPatienceBits = 4;

std::uint32_t three_bytes(const char* at) {
  std::uint32_t word;
  std::memcpy(&word, at, sizeof word);
  return word & 0xffffff;
}

class Output {
 public:
  Output(char* out, std::size_t room) : begin_(out), at_(out), end_(out + room) {}

  // False: there is no room.
  bool plain(const char* from, const char* to) {
    const auto size = static_cast<std::size_t>(to - from);
    if (size + size / kPlainMax + 1 > static_cast<std::size_t>(end_ - at_)) return false;
    while (from < to) {
      const std::size_t run = std::min(kPlainMax, static_cast<std::size_t>(to - from));
      *at_++ = static_cast<char>(run - 1);
      std::memcpy(at_, from, run);
      at_ += run;
      from += run;
    }
    return true;
  }
  bool reference(std::size_t distance, std::size_t length) {
    if (end_ - at_ < 3) return false;
    const std::size_t back = distance - 1;
    const std::size_t more = length - 2;
    *at_++ = static_cast<char>(std::min<std::size_t>(more, 7) << 5 | back >> 8);
    if (more >= 7) *at_++ = static_cast<char>(more - 7);
    *at_++ = static_cast<char>(back);
    return true;
  }
  std::size_t size() const { return static_cast<std::size_t>(at_ - begin_); }

 private:
  char* begin_;
  char* at_;
  char* end_;
};

std::size_t equal_bytes(const char* earlier, const char* later, std::size_t most) {
  std::size_t length = kLengthMin;
  while (length < most && earlier[length] == later[length]) ++length;
  return length;
}

}  // namespace

bool LzfPacker::pack(std::string_view bytes, std::string& out) {
  if (bytes.size() <= kGainMin + kLengthMin || bytes.size() > UINT32_MAX / 2) return false;
  const std::size_t room = bytes.size() - kGainMin;
  if (out.size() < room) out.resize(room);
  const std::size_t size = pack_into(bytes, out.data(), room);
  out.resize(size);
  return size != 0;
}

void LzfPacker::pack_piece(std::string_view bytes, std::string& out) {
  if (pack(bytes, out)) return;
  out.resize(bytes.size() + bytes.size() / kPlainMax + 1);
  Output plain(out.data(), out.size());
  plain.plain(bytes.data(), bytes.data() + bytes.size());
  out.resize(plain.size());
}

// 0: it does not fit.
std::size_t LzfPacker::pack_into(std::string_view bytes, char* out, std::size_t room) {
  if (begin_ > UINT32_MAX - bytes.size()) {
    table_.fill(0);
    begin_ = 1;
  }
  const std::uint32_t begin = begin_;
  begin_ += static_cast<std::uint32_t>(bytes.size());
  const char* const first = bytes.data();
  const char* const end = first + bytes.size();
  const char* const last = end - 4;  // four bytes are loaded at once
  const char* plain_from = first;
  Output packed(out, room);
  std::uint32_t misses = 0;
  for (const char* at = first; at <= last;) {
    const std::uint32_t word = three_bytes(at);
    std::uint32_t& seen = table_[word * 2654435761u >> (32 - kTableBits)];
    const std::uint32_t place = begin + static_cast<std::uint32_t>(at - first);
    const std::uint32_t distance = place - seen;
    const bool found =
        seen >= begin && distance <= kDistanceMax && three_bytes(at - distance) == word;
    seen = place;
    if (!found) {
      at += 1 + (misses++ >> kPatienceBits);
      continue;
    }
    misses = 0;
    const std::size_t length =
        equal_bytes(at - distance, at, std::min(kLengthMax, static_cast<std::size_t>(end - at)));
    if (!packed.plain(plain_from, at) || !packed.reference(distance, length)) return 0;
    at += length;
    plain_from = at;
  }
  if (plain_from == first || !packed.plain(plain_from, end)) return 0;
  return packed.size();
}

}  // namespace slotcar::storage
