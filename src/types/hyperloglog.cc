#include "types/hyperloglog.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/assert.h"
#include "base/murmur_hash.h"
#include "base/numbers.h"

namespace slotcar::types {

namespace {

using Byte = unsigned char;

constexpr int kIndexBits = 14;
constexpr int kHashBitsLeft = 64 - kIndexBits;
constexpr std::uint64_t kSeed = 0xadc83b19;
constexpr std::string_view kMagic = "HYLL";
constexpr std::size_t kEncodingAt = 4;
constexpr std::size_t kCountAt = kHllCountOffset;
constexpr Byte kStale = 0x80;  // in the last byte of the count
constexpr char kSparse = 1;

constexpr std::uint8_t kSparseValueMax = 32;
constexpr std::size_t kSparseValueRunMax = 4;
constexpr std::size_t kShortZerosMax = 64;

Byte byte_at(std::string_view bytes, std::size_t index) {
  return static_cast<Byte>(bytes[index]);
}

// --- runs --------------------------------------------------------------------------------------

struct Run {
  std::uint8_t value;
  std::uint8_t size;  // bytes
  std::uint16_t length;
};

bool is_value(Byte first) {
  return (first & 0x80) != 0;
}

// The run that begins at `at`. A run without its second byte has no length.
Run run_at(std::string_view bytes, std::size_t at) {
  const Byte first = byte_at(bytes, at);
  if (is_value(first)) {
    return {static_cast<std::uint8_t>((first >> 2 & 0x1f) + 1), 1,
            static_cast<std::uint16_t>((first & 3) + 1)};
  }
  if ((first & 0x40) == 0) return {0, 1, static_cast<std::uint16_t>((first & 0x3f) + 1)};
  if (at + 1 >= bytes.size()) return {0, 1, 0};
  return {0, 2, static_cast<std::uint16_t>(((first & 0x3f) << 8 | byte_at(bytes, at + 1)) + 1)};
}

// A few encoded runs, to be written into the bytes.
class RunWriter {
 public:
  void zeros(std::size_t length) {
    if (length == 0) return;
    const std::size_t code = length - 1;
    if (length > kShortZerosMax) {
      put(static_cast<Byte>(0x40 | code >> 8));
      put(static_cast<Byte>(code & 0xff));
    } else {
      put(static_cast<Byte>(code));
    }
  }
  void values(std::uint8_t value, std::size_t length) {
    if (length == 0) return;
    put(static_cast<Byte>(0x80 | (value - 1) << 2 | (length - 1)));
  }
  std::string_view view() const { return {bytes_, size_}; }

 private:
  void put(Byte byte) { bytes_[size_++] = static_cast<char>(byte); }

  char bytes_[6] = {};
  std::size_t size_ = 0;
};

// Calls `visit(first register, run)` for all runs; false unless they make up all registers exactly.
template <class Visit>
bool walk_runs(std::string_view bytes, Visit visit) {
  std::size_t index = 0;
  for (std::size_t at = kHllHeaderBytes; at < bytes.size();) {
    const Run run = run_at(bytes, at);
    if (run.length == 0 || index + run.length > kHllRegisters) return false;
    visit(index, run);
    index += run.length;
    at += run.size;
  }
  return index == kHllRegisters;
}

// Eight bytes of runs at a time: an add spends nearly all its time finding the run of its
// register. In a word each byte is a run of values, a short run of zeros, or one of the two bytes
// of a long one. Second bytes can have any value. A table, indexed by the mask of bytes that look
// like first ones, says which they are: a second byte follows a first byte that is not itself a
// second.
struct SecondBytes {
  std::uint8_t of[256] = {};
  std::uint64_t spread[256] = {};  // a byte of ones for each bit
  constexpr SecondBytes() {
    for (unsigned firsts = 0; firsts < 256; ++firsts) {
      unsigned second = 0;
      for (unsigned i = 1; i < 8; ++i) {
        if ((firsts >> (i - 1) & 1) && !(second >> (i - 1) & 1)) second |= 1u << i;
      }
      of[firsts] = static_cast<std::uint8_t>(second);
      for (unsigned i = 0; i < 8; ++i) {
        if (firsts >> i & 1) spread[firsts] |= std::uint64_t{0xff} << (8 * i);
      }
    }
  }
};
constexpr SecondBytes kSecondBytes;

struct WordOfRuns {
  std::uint64_t registers = 0;  // in all its runs together
  std::uint64_t size = 0;       // bytes of whole runs: 8, or 7 if the last byte begins a long one
  std::uint64_t last = 0;       // where the last of them begins
};

std::uint64_t sum_of_bytes(std::uint64_t bytes) {
  constexpr std::uint64_t kEven = 0x00ff00ff00ff00ff;
  const std::uint64_t sums = (bytes & kEven) + (bytes >> 8 & kEven);
  return sums * 0x0001000100010001 >> 48;
}

// `at` is where a run begins.
WordOfRuns word_of_runs(const char* at) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  const std::uint64_t values = word >> 7 & kOnes;
  const std::uint64_t like_first = word >> 6 & ~values & kOnes;
  // The lengths, less one, as if all were short: in the lowest two bits of a run of values, in the
  // lowest six of one of zeros.
  std::uint64_t lengths = word & (kOnes * 0x3f ^ values * 0x3c);
  if (like_first == 0) return {sum_of_bytes(lengths) + 8, 8, 7};
  const auto firsts = static_cast<std::uint8_t>(like_first * 0x0102040810204080 >> 56);
  const unsigned seconds = kSecondBytes.of[firsts];
  unsigned long_ones = firsts & ~seconds;
  std::uint64_t size = 8;
  if (long_ones & 0x80) {  // its second byte is beyond
    size = 7;
    long_ones &= 0x7f;
    word &= ~std::uint64_t{0} >> 8;
    lengths &= ~std::uint64_t{0} >> 8;
  }
  const std::uint64_t first_mask = kSecondBytes.spread[long_ones];
  const std::uint64_t second_mask = kSecondBytes.spread[seconds];
  const std::uint64_t low = (lengths & ~first_mask & ~second_mask) | (word & second_mask);
  const std::uint64_t runs = size - static_cast<std::uint64_t>(std::popcount(seconds));
  return {sum_of_bytes(low) + 256 * sum_of_bytes(lengths & first_mask) + runs, size,
          size - (seconds >> (size - 1) & 1 ? 2 : 1)};
}

#if defined(__SSE2__)
// The same for sixteen bytes. No registers: the last byte begins a long run. (A constant size lets
// the processor run ahead.)
WordOfRuns sixteen_bytes_of_runs(const char* at) {
  const auto all = [](unsigned byte) { return _mm_set1_epi8(static_cast<char>(byte)); };
  const __m128i zeros = _mm_setzero_si128();
  const __m128i runs = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  __m128i firsts = _mm_cmpeq_epi8(_mm_and_si128(runs, all(0xc0)), all(0x40));
  auto mask = static_cast<unsigned>(_mm_movemask_epi8(firsts));
  if ((mask & mask << 1) != 0) {  // some of them are second bytes: the table says which
    const unsigned low = mask & 0xff & ~unsigned{kSecondBytes.of[mask & 0xff]};
    const unsigned like_high = mask >> 8 & ~(low >> 7);
    const unsigned high = like_high & ~unsigned{kSecondBytes.of[like_high]};
    mask = low | high << 8;
    firsts = _mm_set_epi64x(static_cast<std::int64_t>(kSecondBytes.spread[high]),
                            static_cast<std::int64_t>(kSecondBytes.spread[low]));
  }
  if (mask & 0x8000) return {};
  const __m128i seconds = _mm_slli_si128(firsts, 1);
  const __m128i values = _mm_cmpgt_epi8(zeros, runs);  // the highest bit is set
  const __m128i lengths =
      _mm_and_si128(runs, _mm_xor_si128(all(0x3f), _mm_and_si128(values, all(0x3c))));
  const __m128i low = _mm_or_si128(_mm_andnot_si128(_mm_or_si128(firsts, seconds), lengths),
                                   _mm_and_si128(seconds, runs));
  const __m128i high = _mm_and_si128(firsts, lengths);
  const __m128i sums =
      _mm_add_epi64(_mm_sad_epu8(low, zeros), _mm_slli_epi64(_mm_sad_epu8(high, zeros), 8));
  const auto total = static_cast<std::uint64_t>(
      _mm_cvtsi128_si64(_mm_add_epi64(sums, _mm_unpackhi_epi64(sums, sums))));
  return {total + 16 - static_cast<std::uint64_t>(std::popcount(mask)), 16, 15 - (mask >> 14 & 1)};
}
#endif

// --- dense registers ---------------------------------------------------------------------------

// `registers` is where the packed registers begin. The last one ends with the last byte.
std::uint8_t get_register(const char* registers, std::size_t index) {
  const std::size_t at = index * 6 / 8;
  const unsigned shift = index * 6 % 8;
  unsigned word = static_cast<Byte>(registers[at]);
  if (shift > 2) word |= static_cast<unsigned>(static_cast<Byte>(registers[at + 1])) << 8;
  return static_cast<std::uint8_t>(word >> shift & 0x3f);
}

void put_register(char* registers, std::size_t index, std::uint8_t value) {
  const std::size_t at = index * 6 / 8;
  const unsigned shift = index * 6 % 8;
  const auto replace = [](char& byte, unsigned mask, unsigned bits) {
    byte = static_cast<char>((static_cast<Byte>(byte) & ~mask) | bits);
  };
  replace(registers[at], (0x3fu << shift) & 0xff, (static_cast<unsigned>(value) << shift) & 0xff);
  if (shift > 2) replace(registers[at + 1], 0x3fu >> (8 - shift), value >> (8 - shift));
}

// Calls `visit(index, value)` for all registers: four in three bytes.
template <class Visit>
void walk_dense(const char* registers, Visit visit) {
  const auto* at = reinterpret_cast<const Byte*>(registers);
  for (std::size_t index = 0; index < kHllRegisters; index += 4, at += 3) {
    const unsigned word =
        at[0] | static_cast<unsigned>(at[1]) << 8 | static_cast<unsigned>(at[2]) << 16;
    visit(index, static_cast<std::uint8_t>(word & 0x3f));
    visit(index + 1, static_cast<std::uint8_t>(word >> 6 & 0x3f));
    visit(index + 2, static_cast<std::uint8_t>(word >> 12 & 0x3f));
    visit(index + 3, static_cast<std::uint8_t>(word >> 18));
  }
}

// --- estimating --------------------------------------------------------------------------------
// Otmar Ertl's estimator, "New cardinality estimation algorithms for HyperLogLog sketches" (2017):
// it needs only how many registers have each value.

struct Histogram {
  std::uint32_t registers_with[64] = {};
};

double sigma(double x) {
  if (x == 1.0) return std::numeric_limits<double>::infinity();
  double y = 1;
  double z = x;
  double before;
  do {
    x *= x;
    before = z;
    z += x * y;
    y += y;
  } while (before != z);
  return z;
}

double tau(double x) {
  if (x == 0.0 || x == 1.0) return 0.0;
  double y = 1.0;
  double z = 1 - x;
  double before;
  do {
    x = std::sqrt(x);
    before = z;
    y *= 0.5;
    z -= std::pow(1 - x, 2) * y;
  } while (before != z);
  return z / 3;
}

std::uint64_t estimate(const Histogram& histogram) {
  constexpr double kAlpha = 0.721347520444481703680;  // 1 / (2 ln 2)
  constexpr double m = kHllRegisters;
  double z = m * tau((m - histogram.registers_with[kHashBitsLeft + 1]) / m);
  for (int value = kHashBitsLeft; value >= 1; --value) {
    z += histogram.registers_with[value];
    z *= 0.5;
  }
  z += m * sigma(histogram.registers_with[0] / m);
  return static_cast<std::uint64_t>(std::llroundl(kAlpha * m * m / z));
}

}  // namespace

std::uint64_t HllRegisters::count() const {
  Histogram histogram;
  for (const std::uint8_t value : values) ++histogram.registers_with[value & 0x3f];
  return estimate(histogram);
}

// --- HyperloglogView ---------------------------------------------------------------------------

bool HyperloglogView::fits(std::string_view bytes) {
  if (bytes.size() < kHllHeaderBytes || !bytes.starts_with(kMagic)) return false;
  const Byte encoding = byte_at(bytes, kEncodingAt);
  return encoding == static_cast<Byte>(kSparse) ||
         (encoding == 0 && bytes.size() == kHllDenseBytes);
}

std::optional<std::uint64_t> HyperloglogView::cached_count() const {
  if (byte_at(bytes_, kHllHeaderBytes - 1) & kStale) return std::nullopt;
  std::uint64_t count;
  std::memcpy(&count, bytes_.data() + kCountAt, sizeof count);
  return count;
}

std::optional<std::uint64_t> HyperloglogView::count() const {
  Histogram histogram;
  if (is_dense()) {
    walk_dense(bytes_.data() + kHllHeaderBytes,
               [&](std::size_t, std::uint8_t value) { ++histogram.registers_with[value]; });
  } else if (!walk_runs(bytes_, [&](std::size_t, const Run& run) {
               histogram.registers_with[run.value] += run.length;
             })) {
    return std::nullopt;
  }
  return estimate(histogram);
}

bool HyperloglogView::merge_into(HllRegisters& into) const {
  if (is_dense()) {
    walk_dense(bytes_.data() + kHllHeaderBytes, [&](std::size_t index, std::uint8_t value) {
      into.values[index] = std::max(into.values[index], value);
    });
    return true;
  }
  return walk_runs(bytes_, [&](std::size_t index, const Run& run) {
    if (run.value == 0) return;
    for (std::size_t i = index; i < index + run.length; ++i) {
      into.values[i] = std::max(into.values[i], run.value);
    }
  });
}

std::optional<std::string> HyperloglogView::runs_as_text() const {
  std::string text;
  const auto number = [&](std::uint64_t n) {
    char digits[24];
    text.append(digits, static_cast<std::size_t>(base::print_uint64(digits, n)));
  };
  const bool whole = walk_runs(bytes_, [&](std::size_t, const Run& run) {
    if (!text.empty()) text += ' ';
    if (run.value != 0) {
      text += "v:";
      number(run.value);
      text += ',';
    } else {
      text += run.size == 2 ? "Z:" : "z:";
    }
    number(run.length);
  });
  if (!whole) return std::nullopt;
  return text;
}

// --- Hyperloglog -------------------------------------------------------------------------------

void Hyperloglog::create() {
  RunWriter nothing_seen;
  nothing_seen.zeros(kHllRegisters);
  const std::string_view runs = nothing_seen.view();
  char* data = cell_.resize(kHllHeaderBytes + runs.size());
  std::memset(data, 0, kHllHeaderBytes);
  std::memcpy(data, kMagic.data(), kMagic.size());
  data[kEncodingAt] = kSparse;
  std::memcpy(data + kHllHeaderBytes, runs.data(), runs.size());
}

Hyperloglog::Outcome Hyperloglog::add(std::string_view element) {
  const std::uint64_t hash = base::murmur_hash(element, kSeed);
  const std::size_t index = hash & (kHllRegisters - 1);
  // One more than the number of zeros before the first one of the other bits.
  const std::uint64_t rest = hash >> kIndexBits | std::uint64_t{1} << kHashBitsLeft;
  return raise(index, static_cast<std::uint8_t>(std::countr_zero(rest) + 1));
}

Hyperloglog::Outcome Hyperloglog::raise(std::size_t index, std::uint8_t value) {
  return view().is_dense() ? raise_dense(index, value) : raise_sparse(index, value);
}

Hyperloglog::Outcome Hyperloglog::raise_dense(std::size_t index, std::uint8_t value) {
  if (get_register(cell_.data() + kHllHeaderBytes, index) >= value) return Outcome::unchanged;
  put_register(own() + kHllHeaderBytes, index, value);
  return Outcome::changed;
}

Hyperloglog::Outcome Hyperloglog::raise_sparse(std::size_t index, std::uint8_t value) {
  const std::string_view bytes = cell_.packed();
  // The run that has the register, the first register of that run, and the run before.
  std::size_t at = kHllHeaderBytes;
  std::size_t before = at;
  std::size_t first = 0;
  const auto pass = [&](const WordOfRuns& runs) {
    if (runs.registers == 0 || first + runs.registers > index) return false;
    first += runs.registers;
    before = at + runs.last;
    at += runs.size;
    return true;
  };
#if defined(__SSE2__)
  while (at + 16 <= bytes.size()) {
    if (!pass(sixteen_bytes_of_runs(bytes.data() + at)) && !pass(word_of_runs(bytes.data() + at))) {
      break;
    }
  }
#endif
  while (at + 8 <= bytes.size() && pass(word_of_runs(bytes.data() + at))) {
  }
  Run run{};
  for (;;) {
    if (at >= bytes.size()) return Outcome::corrupt;
    run = run_at(bytes, at);
    if (run.length == 0 || first + run.length > kHllRegisters) return Outcome::corrupt;
    if (index < first + run.length) break;
    before = at;
    first += run.length;
    at += run.size;
  }
  if (run.value >= value) return Outcome::unchanged;
  const auto as_dense = [&] {
    return become_dense() ? raise_dense(index, value) : Outcome::corrupt;
  };
  if (value > kSparseValueMax) return as_dense();

  // One run becomes up to three: before the register, the register, after it.
  RunWriter fresh;
  const std::size_t ahead = index - first;
  const std::size_t behind = run.length - ahead - 1;
  run.value == 0 ? fresh.zeros(ahead) : fresh.values(run.value, ahead);
  fresh.values(value, 1);
  run.value == 0 ? fresh.zeros(behind) : fresh.values(run.value, behind);
  const std::size_t grown = bytes.size() + fresh.view().size() - run.size;
  if (grown > bytes.size() &&
      grown > static_cast<std::uint64_t>(std::max<std::int64_t>(sparse_bytes_max_, 0))) {
    return as_dense();
  }
  replace_run(at, run.size, fresh.view());
  join_runs(before);
  return Outcome::changed;
}

void Hyperloglog::replace_run(std::size_t at, std::size_t old_size, std::string_view with) {
  const std::size_t size = cell_.size();
  const std::size_t tail = size - at - old_size;
  if (with.size() > old_size) {
    char* data = cell_.resize(size + with.size() - old_size);
    std::memmove(data + at + with.size(), data + at + old_size, tail);
  } else if (with.size() < old_size) {
    char* data = own();
    std::memmove(data + at + with.size(), data + at + old_size, tail);
    cell_.resize(size + with.size() - old_size);
  } else {
    own();
  }
  std::memcpy(cell_.data() + at, with.data(), with.size());
}

// Joins equal neighbours near a run that has just changed. Five steps reach everything that can
// have become equal to its neighbour. Redis takes as many, so the bytes stay the same as there.
void Hyperloglog::join_runs(std::size_t from) {
  char* data = cell_.data();
  std::size_t size = cell_.size();
  std::size_t at = from;
  for (int steps = 5; steps > 0 && at < size; --steps) {
    const Run run = run_at({data, size}, at);
    if (run.value != 0 && at + 1 < size && is_value(static_cast<Byte>(data[at + 1]))) {
      const Run next = run_at({data, size}, at + 1);
      const std::size_t length = std::size_t{run.length} + next.length;
      if (next.value == run.value && length <= kSparseValueRunMax) {
        RunWriter joined;
        joined.values(run.value, length);
        data[at + 1] = joined.view()[0];
        std::memmove(data + at, data + at + 1, size - at - 1);
        --size;
        continue;
      }
    }
    at += run.size;
  }
  if (size != cell_.size()) cell_.resize(size);
}

bool Hyperloglog::become_dense() {
  if (view().is_dense()) return true;
  const std::string_view old = cell_.packed();
  std::vector<char> dense(kHllDenseBytes);
  std::memcpy(dense.data(), old.data(), kHllHeaderBytes);
  dense[kEncodingAt] = 0;
  char* registers = dense.data() + kHllHeaderBytes;
  const bool whole = walk_runs(old, [&](std::size_t index, const Run& run) {
    if (run.value == 0) return;
    for (std::size_t i = index; i < index + run.length; ++i) put_register(registers, i, run.value);
  });
  if (!whole) return false;
  std::memcpy(cell_.resize(dense.size()), dense.data(), dense.size());
  return true;
}

void Hyperloglog::remember_count(std::uint64_t count) {
  std::memcpy(own() + kCountAt, &count, sizeof count);
}

void Hyperloglog::forget_count() {
  if (byte_at(cell_.packed(), kHllHeaderBytes - 1) & kStale) return;
  char& last = own()[kHllHeaderBytes - 1];
  last = static_cast<char>(static_cast<Byte>(last) | kStale);
}

}  // namespace slotcar::types
