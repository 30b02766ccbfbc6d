#include "keyspace/edit/bloom_edit.h"

#include <string>
#include <utility>

#include "base/numbers.h"
#include "keyspace/digits.h"

namespace slotcar::keyspace {

namespace {

using types::BloomFilter;

// The iterator of BF.LOADCHUNK, where a dump's chunk ends: 1 is the header, then the bytes are
// counted.
std::uint64_t iterator_after(std::uint64_t offset, std::size_t size) {
  return offset + size + 1;
}

}  // namespace

BloomEdit::~BloomEdit() = default;

bool BloomEdit::reserve(const types::BloomShape& shape) {
  std::unique_ptr<BloomFilter> filter = BloomFilter::make(shape);
  if (filter == nullptr) return false;
  become_tree(std::move(filter));
  if (!recording()) {
    effect_counted();
    return true;
  }
  const std::string error_rate = base::print_double(shape.error_rate);
  const Digits capacity(shape.capacity);
  if (shape.scales) {
    effect("BF.RESERVE", {error_rate, capacity, "EXPANSION", Digits(shape.expansion)});
  } else {
    effect("BF.RESERVE", {error_rate, capacity, "NONSCALING"});
  }
  return true;
}

bool BloomEdit::load_header(std::string_view header) {
  std::unique_ptr<BloomFilter> filter = BloomFilter::from_header(header);
  if (filter == nullptr) return false;
  become_tree(std::move(filter));
  effect("BF.LOADCHUNK", {"1", header});
  return true;
}

BloomFilter::Added BloomEdit::add(std::string_view element) {
  const auto added = own_filter()->add(element);
  if (added == BloomFilter::Added::fresh) effect_joined("BF.MADD", {element});
  return added;
}

BloomFilter::Loaded BloomEdit::load_bits(std::uint64_t offset, std::string_view bits) {
  const auto loaded = own_filter()->load_bits(offset, bits);
  if (loaded == BloomFilter::Loaded::ok) {
    effect("BF.LOADCHUNK", {Digits(iterator_after(offset, bits.size())), bits});
  }
  return loaded;
}

}  // namespace slotcar::keyspace
