#include "types/bloom.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/assert.h"
#include "base/limits.h"
#include "base/murmur_hash.h"

namespace slotcar::types {

namespace {

constexpr double kLn2 = 0.693147180559945;
constexpr double kLn2Squared = 0.480453013918201;
constexpr double kTightening = 0.5;
constexpr std::uint64_t kHashSeed = 0xc6a4a7935bd1e995ull;

// The option bits of a dump.
constexpr std::uint32_t kNoRounding = 1;
constexpr std::uint32_t kSizeIsBits = 2;
constexpr std::uint32_t kHashOf64 = 4;
constexpr std::uint32_t kNoScaling = 8;
constexpr std::uint32_t kAllOptions = kNoRounding | kSizeIsBits | kHashOf64 | kNoScaling;

constexpr std::size_t kDumpHeaderBytes = 20;  // items 8, layers 4, options 4, expansion 4
constexpr std::size_t kDumpLayerBytes = 53;   // bytes, bits, items, error, bits per item: 8 each,
                                              // hashes 4, capacity 8, log2 of bits 1
// The size of RedisBloom's own structures.
constexpr std::uint64_t kNominalFilterBytes = 32;
constexpr std::uint64_t kNominalLayerBytes = 64;

double bits_per_item_of(double error_rate) {
  return std::abs(std::log(error_rate) / kLn2Squared);
}

std::uint32_t hashes_of(double bits_per_item) {
  return static_cast<std::uint32_t>(std::ceil(kLn2 * bits_per_item));
}

template <class T>
void put(std::string& out, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

class DumpReader {
 public:
  explicit DumpReader(std::string_view bytes) : rest_(bytes) {}
  template <class T>
  T take() {
    ASSERT(rest_.size() >= sizeof(T));
    T value;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }

 private:
  std::string_view rest_;
};

}  // namespace

// --- layers ------------------------------------------------------------------------------------

struct BloomFilter::Hashes {
  explicit Hashes(std::string_view element)
      : first(base::murmur_hash(element, kHashSeed)), step(base::murmur_hash(element, first)) {}
  std::uint64_t first;
  std::uint64_t step;
};

std::size_t BloomFilter::Layer::chunk_size(std::size_t i) const {
  return static_cast<std::size_t>(std::min<std::uint64_t>(kChunkBytes, bytes - i * kChunkBytes));
}

BloomFilter::Layer* BloomFilter::make_layer(std::uint64_t capacity, double error_rate) {
  if (capacity < 1 || !(error_rate > 0) || error_rate >= 1) return nullptr;
  const double bits_per_item = bits_per_item_of(error_rate);
  const double bits_wanted = static_cast<double>(capacity) * bits_per_item;
  if (!(bits_wanted < static_cast<double>(limits::kBloomLayerBytesMax * 8))) return nullptr;
  const auto bits = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(bits_wanted));
  auto* layer = new Layer();
  layer->bytes = (bits + 63) / 64 * 8;
  layer->capacity = capacity;
  layer->error_rate = error_rate;
  layer->bits_per_item = bits_per_item;
  layer->hashes = hashes_of(bits_per_item);
  layer->chunks.resize((layer->bytes + kChunkBytes - 1) / kChunkBytes);
  return layer;
}

void BloomFilter::drop(Layer* layer) {
  if (layer->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) delete layer;
}

bool BloomFilter::contains(const Layer& layer, const Hashes& hashes) {
  const std::uint64_t bits = layer.bits();
  for (std::uint64_t i = 0; i < layer.hashes; ++i) {
    const std::uint64_t bit = (hashes.first + i * hashes.step) % bits;
    const std::uint64_t byte = bit >> 3;
    const base::SharedBytes& chunk = layer.chunks[byte / kChunkBytes];
    if (!chunk) return false;
    const auto seen = static_cast<unsigned char>(chunk.data()[byte % kChunkBytes]);
    if (((seen >> (bit & 7)) & 1) == 0) return false;
  }
  return true;
}

// A layer that no pin shares.
BloomFilter::Layer& BloomFilter::own(std::size_t index) {
  Layer*& layer = layers_[index];
  if (layer->refs.load(std::memory_order_acquire) > 1) {
    auto* copy = new Layer();
    copy->bytes = layer->bytes;
    copy->items = layer->items;
    copy->capacity = layer->capacity;
    copy->error_rate = layer->error_rate;
    copy->bits_per_item = layer->bits_per_item;
    copy->hashes = layer->hashes;
    copy->log2_bits = layer->log2_bits;
    copy->chunks = layer->chunks;
    drop(std::exchange(layer, copy));
  }
  return *layer;
}

// A chunk of such a layer, for writing.
char* BloomFilter::writable(Layer& layer, std::size_t chunk) {
  base::SharedBytes& bytes = layer.chunks[chunk];
  if (bytes && bytes.sole_owner()) return bytes.mutable_data();
  const std::size_t size = layer.chunk_size(chunk);
  base::SharedBytes fresh = base::SharedBytes::allocate(size, nullptr);
  fresh.set_size(size);
  if (bytes) {
    std::memcpy(fresh.mutable_data(), bytes.data(), size);
  } else {
    std::memset(fresh.mutable_data(), 0, size);
    chunk_bytes_ += fresh.footprint();
  }
  bytes = std::move(fresh);
  return bytes.mutable_data();
}

// --- the filter --------------------------------------------------------------------------------

BloomFilter::BloomFilter(const BloomFilter& other)
    : layers_(other.layers_),
      items_(other.items_),
      chunk_bytes_(other.chunk_bytes_),
      options_(other.options_),
      expansion_(other.expansion_) {
  for (Layer* layer : layers_) layer->refs.fetch_add(1, std::memory_order_relaxed);
}

// From the last layer, chunk by chunk; freeing one takes about as long as several nodes of a tree.
bool BloomFilter::free_some(std::size_t& nodes) {
  constexpr std::size_t kNodesPerChunk = 16;
  while (!layers_.empty()) {
    Layer* layer = layers_.back();
    // Not `drop`: as in Tree::drop_some, this call must not end up freeing everything because the
    // other references were dropped.
    std::uint32_t refs = layer->refs.load(std::memory_order_acquire);
    while (refs > 1 &&
           !layer->refs.compare_exchange_weak(refs, refs - 1, std::memory_order_acq_rel)) {
    }
    if (refs == 1) {
      for (; !layer->chunks.empty(); layer->chunks.pop_back(), nodes -= kNodesPerChunk) {
        if (nodes < kNodesPerChunk) return false;
      }
      delete layer;
    }
    layers_.pop_back();
  }
  return true;
}

BloomFilter::~BloomFilter() {
  for (Layer* layer : layers_) drop(layer);
}

std::unique_ptr<BloomFilter> BloomFilter::make(const BloomShape& shape) {
  // The first layer of a growing filter is stricter than requested, so that the error of all layers
  // together meets the request.
  const double error_rate = shape.scales ? shape.error_rate * kTightening : shape.error_rate;
  Layer* layer = make_layer(shape.capacity, error_rate);
  if (layer == nullptr) return nullptr;
  std::unique_ptr<BloomFilter> filter(new BloomFilter());
  filter->options_ = kNoRounding | kHashOf64 | (shape.scales ? 0 : kNoScaling);
  filter->expansion_ = shape.expansion;
  filter->put_on_top(layer);
  return filter;
}

bool BloomFilter::fits_on_top(const Layer& layer) const {
  return layers_.size() < limits::kBloomLayersMax &&
         layer.bytes <= limits::kBloomBytesMax - bit_bytes();
}

void BloomFilter::put_on_top(Layer* layer) {
  layers_.push_back(layer);
}

BloomFilter::Added BloomFilter::add(std::string_view element) {
  const Hashes hashes(element);
  for (std::size_t i = layers_.size(); i-- > 0;) {
    if (contains(*layers_[i], hashes)) return Added::known;
  }
  const Layer& top = *layers_.back();
  if (top.items >= top.capacity) {
    if (!scales()) return Added::full;
    std::uint64_t capacity = 0;
    if (__builtin_mul_overflow(top.capacity, std::uint64_t{expansion_}, &capacity)) {
      return Added::too_large;
    }
    Layer* next = make_layer(capacity, top.error_rate * kTightening);
    if (next == nullptr) return Added::too_large;
    if (!fits_on_top(*next)) {
      drop(next);
      return Added::too_large;
    }
    put_on_top(next);
  }
  Layer& layer = own(layers_.size() - 1);
  const std::uint64_t bits = layer.bits();
  for (std::uint64_t i = 0; i < layer.hashes; ++i) {
    const std::uint64_t bit = (hashes.first + i * hashes.step) % bits;
    const std::uint64_t byte = bit >> 3;
    char& place = writable(layer, byte / kChunkBytes)[byte % kChunkBytes];
    place = static_cast<char>(static_cast<unsigned char>(place) | 1u << (bit & 7));
  }
  ++layer.items;
  ++items_;
  return Added::fresh;
}

bool BloomFilter::may_contain(std::string_view element) const {
  const Hashes hashes(element);
  return std::any_of(layers_.rbegin(), layers_.rend(),
                     [&](const Layer* layer) { return contains(*layer, hashes); });
}

bool BloomFilter::scales() const {
  return (options_ & kNoScaling) == 0;
}

std::uint64_t BloomFilter::capacity() const {
  std::uint64_t total = 0;
  for (const Layer* layer : layers_) total += layer->capacity;
  return total;
}

std::uint64_t BloomFilter::bit_bytes() const {
  std::uint64_t total = 0;
  for (const Layer* layer : layers_) total += layer->bytes;
  return total;
}

std::uint64_t BloomFilter::nominal_bytes() const {
  return kNominalFilterBytes + layers_.size() * kNominalLayerBytes + bit_bytes();
}

std::unique_ptr<TreeObject> BloomFilter::share() const {
  return std::unique_ptr<TreeObject>(new BloomFilter(*this));
}

std::size_t BloomFilter::footprint() const {
  std::size_t total = sizeof(*this) + chunk_bytes_;
  for (const Layer* layer : layers_) {
    total += sizeof(*layer) + layer->chunks.capacity() * sizeof(base::SharedBytes);
  }
  return total;
}

bool BloomFilter::same_version(const TreeObject& earlier) const {
  // A writer copies a shared layer first, so there would be another layer then.
  return layers_ == static_cast<const BloomFilter&>(earlier).layers_;
}

// --- dumps -------------------------------------------------------------------------------------

std::string BloomFilter::dump_header() const {
  std::string out;
  put(out, items_);
  put(out, static_cast<std::uint32_t>(layers_.size()));
  put(out, options_);
  put(out, expansion_);
  for (const Layer* layer : layers_) {
    put(out, layer->bytes);
    put(out, layer->bytes * 8);
    put(out, layer->items);
    put(out, layer->error_rate);
    put(out, layer->bits_per_item);
    put(out, layer->hashes);
    put(out, layer->capacity);
    put(out, layer->log2_bits);
  }
  ASSERT(out.size() == kDumpHeaderBytes + layers_.size() * kDumpLayerBytes);
  return out;
}

// Everything is checked against everything: every later call would trust a number that contradicts
// the others.
BloomFilter::Layer* BloomFilter::read_layer(std::string_view dumped) {
  DumpReader reader(dumped);
  const auto bytes = reader.take<std::uint64_t>();
  const auto bits = reader.take<std::uint64_t>();
  const auto items = reader.take<std::uint64_t>();
  const auto error_rate = reader.take<double>();
  const auto bits_per_item = reader.take<double>();
  const auto hashes = reader.take<std::uint32_t>();
  const auto capacity = reader.take<std::uint64_t>();
  const auto log2_bits = reader.take<std::uint8_t>();
  if (bytes == 0 || bytes > limits::kBloomLayerBytesMax || bytes % 8 != 0 || bits != bytes * 8)
    return nullptr;
  if (!(error_rate > 0 && error_rate < 1) || capacity == 0) return nullptr;
  const double expected = bits_per_item_of(error_rate);
  if (!(std::abs(bits_per_item - expected) <= 1e-6 * expected)) return nullptr;
  if (hashes != hashes_of(bits_per_item)) return nullptr;
  if (log2_bits > 63 || (log2_bits != 0 && bits < std::uint64_t{1} << log2_bits)) return nullptr;
  auto* layer = new Layer();
  layer->bytes = bytes;
  layer->items = items;
  layer->capacity = capacity;
  layer->error_rate = error_rate;
  layer->bits_per_item = bits_per_item;
  layer->hashes = hashes;
  layer->log2_bits = log2_bits;
  layer->chunks.resize((bytes + kChunkBytes - 1) / kChunkBytes);
  return layer;
}

std::unique_ptr<BloomFilter> BloomFilter::from_header(std::string_view header) {
  if (header.size() < kDumpHeaderBytes) return nullptr;
  DumpReader reader(header);
  std::unique_ptr<BloomFilter> filter(new BloomFilter());
  filter->items_ = reader.take<std::uint64_t>();
  const std::size_t count = reader.take<std::uint32_t>();
  filter->options_ = reader.take<std::uint32_t>();
  filter->expansion_ = reader.take<std::uint32_t>();
  if (count == 0 || count > limits::kBloomLayersMax) return nullptr;
  if (header.size() != kDumpHeaderBytes + count * kDumpLayerBytes) return nullptr;
  // The 32-bit hashes of the first versions are not supported.
  if ((filter->options_ & ~kAllOptions) != 0 || !(filter->options_ & kHashOf64)) return nullptr;
  if (filter->scales() && filter->expansion_ == 0) return nullptr;
  std::uint64_t items = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view dumped = header.substr(kDumpHeaderBytes + i * kDumpLayerBytes);
    // Computed before the list of chunks is allocated: none is allocated for a filter that is too
    // large.
    // size.
    const auto bytes = DumpReader(dumped).take<std::uint64_t>();
    if (bytes > limits::kBloomBytesMax - filter->bit_bytes()) return nullptr;
    Layer* layer = read_layer(dumped);
    if (layer == nullptr) return nullptr;
    filter->put_on_top(layer);
    if (__builtin_add_overflow(items, layer->items, &items)) return nullptr;
  }
  if (items != filter->items_) return nullptr;
  return filter;
}

std::optional<BloomFilter::Place> BloomFilter::place_of(std::uint64_t offset) const {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    if (offset < layers_[i]->bytes) return Place{i, offset};
    offset -= layers_[i]->bytes;
  }
  return std::nullopt;
}

std::string BloomFilter::dump_bits(std::uint64_t offset, std::size_t max) const {
  const auto place = place_of(offset);
  if (!place) return {};
  const Layer& layer = *layers_[place->layer];
  std::string out(
      static_cast<std::size_t>(std::min<std::uint64_t>(max, layer.bytes - place->offset)), '\0');
  std::uint64_t from = place->offset;
  for (std::size_t done = 0; done < out.size();) {
    const std::size_t chunk = from / kChunkBytes;
    const std::size_t within = from % kChunkBytes;
    const std::size_t length = std::min(layer.chunk_size(chunk) - within, out.size() - done);
    if (layer.chunks[chunk]) {
      std::memcpy(out.data() + done, layer.chunks[chunk].data() + within, length);
    }
    done += length;
    from += length;
  }
  return out;
}

BloomFilter::Loaded BloomFilter::load_bits(std::uint64_t offset, std::string_view bits) {
  const auto place = place_of(offset);
  if (!place) return Loaded::no_layer;
  if (bits.size() > layers_[place->layer]->bytes - place->offset) return Loaded::too_long;
  Layer& layer = own(place->layer);
  std::uint64_t to = place->offset;
  while (!bits.empty()) {
    const std::size_t chunk = to / kChunkBytes;
    const std::size_t within = to % kChunkBytes;
    const std::string_view part = bits.substr(0, layer.chunk_size(chunk) - within);
    const bool zeros = part.find_first_not_of('\0') == std::string_view::npos;
    if (layer.chunks[chunk] || !zeros) {
      std::memcpy(writable(layer, chunk) + within, part.data(), part.size());
    }
    bits.remove_prefix(part.size());
    to += part.size();
  }
  return Loaded::ok;
}

}  // namespace slotcar::types
