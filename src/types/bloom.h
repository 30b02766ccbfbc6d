// BloomFilter: whether an element may have been added, or was certainly not. A chain of layers:
// when the newest is full a larger one with half the error rate is added. Sizes, hashes and the
// dump are RedisBloom's, bit for bit, so that a dump of one loads into the other.
//
// Memory. The bits of a layer are in chunks, each a reference-counted buffer; chunks of zeros are
// not allocated. Layers are counted, too. `share` copies only the list of layers. A writer copies a
// layer's list of chunks if the layer is shared, and then the one chunk if that is shared; so a
// filter of a gibibyte can be pinned while it is written to, at the cost of the chunks touched. The
// counts follow the rule of tree.h: only the holder of the token makes new references.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/shared_bytes.h"
#include "types/cell.h"

namespace slotcar::types {

struct BloomShape {
  double error_rate = 0.01;
  std::uint64_t capacity = 100;
  std::uint32_t expansion = 2;
  bool scales = true;
};

class BloomFilter final : public TreeObject {
 public:
  // Null: a filter of that shape is impossible (its first layer would be too large).
  static std::unique_ptr<BloomFilter> make(const BloomShape& shape);
  // From what `dump_header` has written; all bits are zero yet. Null: bad data.
  static std::unique_ptr<BloomFilter> from_header(std::string_view header);
  ~BloomFilter() override;

  enum class Added : std::uint8_t { fresh, known, full, too_large };
  Added add(std::string_view element);
  bool may_contain(std::string_view element) const;

  std::uint64_t items() const { return items_; }
  std::uint64_t capacity() const;
  std::size_t layers() const { return layers_.size(); }
  std::uint32_t expansion() const { return expansion_; }
  bool scales() const;
  // The memory that RedisBloom would need, which BF.INFO reports.
  std::uint64_t nominal_bytes() const;

  // The dump: a header, and the bits of all layers one after the other.
  std::string dump_header() const;
  std::uint64_t bit_bytes() const;
  // Bytes from `offset` on, of one layer, `max` at most; empty at the end.
  std::string dump_bits(std::uint64_t offset, std::size_t max) const;
  enum class Loaded : std::uint8_t { ok, no_layer, too_long };
  Loaded load_bits(std::uint64_t offset, std::string_view bits);
  // Calls `visit(offset, bytes)` for each allocated chunk.
  template <class Visit>
  void each_chunk(Visit visit) const {
    std::uint64_t offset = 0;
    for (const Layer* layer : layers_) {
      for (std::size_t i = 0; i < layer->chunks.size(); ++i) {
        const base::SharedBytes& chunk = layer->chunks[i];
        if (chunk) visit(offset + i * kChunkBytes, chunk.view());
      }
      offset += layer->bytes;
    }
  }

  std::unique_ptr<TreeObject> share() const override;
  std::size_t size() const override { return items_; }
  std::size_t footprint() const override;
  Encoding encoding() const override { return Encoding::raw; }
  bool same_version(const TreeObject& earlier) const override;
  bool free_some(std::size_t& nodes) override;

 private:
  static constexpr std::size_t kChunkBytes = 64 * 1024;

  struct Layer {
    std::atomic<std::uint32_t> refs{1};
    std::uint64_t bytes = 0;
    std::uint64_t items = 0;
    std::uint64_t capacity = 0;
    double error_rate = 0;
    double bits_per_item = 0;
    std::uint32_t hashes = 0;
    std::uint8_t log2_bits = 0;  // 0: the number of bits is not a power of two
    std::vector<base::SharedBytes> chunks;

    std::uint64_t bits() const { return log2_bits ? std::uint64_t{1} << log2_bits : bytes * 8; }
    std::size_t chunk_size(std::size_t i) const;
  };
  struct Hashes;
  struct Place {
    std::size_t layer;
    std::uint64_t offset;
  };

  BloomFilter() = default;
  BloomFilter(const BloomFilter& other);

  static Layer* make_layer(std::uint64_t capacity, double error_rate);
  static Layer* read_layer(std::string_view dumped);
  static void drop(Layer* layer);
  static bool contains(const Layer& layer, const Hashes& hashes);
  std::optional<Place> place_of(std::uint64_t offset) const;
  Layer& own(std::size_t index);
  char* writable(Layer& layer, std::size_t chunk);
  bool fits_on_top(const Layer& layer) const;
  void put_on_top(Layer* layer);

  std::vector<Layer*> layers_;
  std::uint64_t items_ = 0;
  std::size_t chunk_bytes_ = 0;
  std::uint32_t options_ = 0;
  std::uint32_t expansion_ = 2;
};

}  // namespace slotcar::types
