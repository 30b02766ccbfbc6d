#include "storage/lzf.h"

#include <liblzf/lzf.h>

#include <climits>

namespace slotcar::storage {

namespace {

// A repetition takes three bytes and says at most 264; nothing says more.
constexpr std::size_t kRepetitionBytes = 3;
constexpr std::size_t kRepetitionMax = 264;

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
  // (The library reads the first packed byte without asking whether there is one.)
  return size > 0 && size <= UINT_MAX && packed_size > 0 && packed_size <= UINT_MAX &&
         size / kRepetitionMax <= packed_size / kRepetitionBytes + 1;
}

bool lzf_unpack(std::string_view packed, char* out, std::size_t size) {
  return lzf_decompress(packed.data(), static_cast<unsigned>(packed.size()), out,
                        static_cast<unsigned>(size)) == size;
}

}  // namespace slotcar::storage
