// A bloom filter refuses any loaded header and bits, or works with them and dumps them again
// unchanged.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "types/bloom.h"

using slotcar::types::BloomFilter;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  if (input.empty()) return 0;
  const std::size_t layers = 1 + static_cast<unsigned char>(input[0]) % 4;
  input.remove_prefix(1);
  const std::string header(input.substr(0, 20 + layers * 53));
  input.remove_prefix(header.size());
  const auto filter = BloomFilter::from_header(header);
  if (filter == nullptr) return 0;
  ASSERT(filter->dump_header() == header);
  const std::string_view bits = input.substr(0, 64);
  if (filter->load_bits(0, bits) == BloomFilter::Loaded::ok) {
    ASSERT(filter->dump_bits(0, bits.size()) == bits);
  }
  filter->load_bits(filter->bit_bytes() - 1, bits);
  const auto pin = filter->share();
  filter->may_contain(bits);
  if (filter->add(bits) == BloomFilter::Added::fresh) {
    ASSERT(filter->may_contain(bits));
    ASSERT(!filter->same_version(*pin));
  }
  return 0;
}
