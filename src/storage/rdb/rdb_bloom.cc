// Bloom filters, as a value kind of our own: the header of BF.SCANDUMP as a string, the number of
// chunks that have a one in them, and for each its position and its bytes.
#include <string>

#include "storage/rdb/rdb_reader.h"
#include "storage/rdb/rdb_writer.h"
#include "types/bloom.h"

namespace slotcar::storage {

namespace {

// A chunk is written whole; a part of one would take far more memory than it has bytes. (The memory
// of a whole one is rounded up, too, by a quarter.)
bool read_chunk(RdbInput& in, std::string& scratch, types::BloomFilter& filter) {
  constexpr std::size_t kRounding = 4096;
  const std::uint64_t offset = in.length();
  const std::string_view bits = in.string(scratch);
  if (in.failed()) return false;
  const std::size_t before = filter.footprint();
  return filter.load_bits(offset, bits) == types::BloomFilter::Loaded::ok &&
         filter.footprint() - before <= 2 * bits.size() + kRounding;
}

}  // namespace

void write_bloom(RdbWriter& out, const types::CellView& seen) {
  const auto& filter = *static_cast<const types::BloomFilter*>(seen.tree);
  out.kind(rdb::Kind::slotcar_bloom);
  out.string(filter.dump_header());
  std::size_t chunks = 0;
  filter.each_chunk([&](std::uint64_t, std::string_view) { ++chunks; });
  out.length(chunks);
  filter.each_chunk([&](std::uint64_t offset, std::string_view bits) {
    out.length(offset);
    out.string(bits);
    out.between_elements();
  });
}

bool read_bloom(RdbInput& in, types::OwnCell& cell) {
  std::string scratch;
  const std::string_view header = in.string(scratch);
  if (in.failed()) return false;
  auto filter = types::BloomFilter::from_header(header);
  if (filter == nullptr) return false;
  for (std::size_t left = in.count(2); left > 0; --left) {
    if (!read_chunk(in, scratch, *filter)) return false;
  }
  cell.become_tree(std::move(filter));
  return !in.failed();
}

}  // namespace slotcar::storage
