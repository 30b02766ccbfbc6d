#include "types/packed/listpack.h"

#include <cstring>

#include "base/assert.h"

namespace slotcar::types {

namespace {

constexpr std::uint8_t kEnd = 0xff;
constexpr std::size_t kManyElements = UINT16_MAX;  // the count is not kept

std::uint8_t byte_of(char c) {
  return static_cast<std::uint8_t>(c);
}

// How many bytes the back length of an encoding of `size` bytes takes. (Redis's bounds: the last
// value of each width uses the next one.)
std::size_t back_size(std::size_t size) {
  if (size <= 127) return 1;
  if (size < 16383) return 2;
  if (size < 2097151) return 3;
  if (size < 268435455) return 4;
  return 5;
}

void write_back_length(char* out, std::size_t size) {
  const std::size_t width = back_size(size);
  for (std::size_t i = 0; i < width; ++i) {
    const std::size_t seven = size >> (7 * (width - 1 - i)) & 127;
    out[i] = static_cast<char>(i == 0 ? seven : seven | 128);
  }
}

template <class T>
T load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// As encoded_size, but inline for short elements, which nearly all are.
std::size_t size_at(const char* at) {
  const std::uint8_t first = byte_of(*at);
  if (first < 0x80) return 1;
  if (first < 0xc0) return 1 + (first & 0x3fu);
  return encoded_size(at);
}

template <bool kBackLengths>
std::size_t with_back_length(std::size_t size) {
  return kBackLengths ? size + back_size(size) : size;
}

// What `find` looks for, contiguous. Elements of one collection often have the same length and
// prefix, so their last bytes are compared first: that rules out nearly all others.
class FlatPattern {
 public:
  explicit FlatPattern(const Encoded& wanted) : wanted_(&wanted), size_(wanted.size()) {
    if (size_ > sizeof flat_) return;
    wanted.write(flat_);
    if (size_ >= sizeof last_) last_ = load<std::uint64_t>(flat_ + size_ - sizeof last_);
  }
  bool is_at(const char* here, std::size_t room) const {
    if (room < size_) return false;
    if (size_ > sizeof flat_) return wanted_->matches(here, room);
    if (size_ < sizeof last_) {
      return here[size_ - 1] == flat_[size_ - 1] && std::memcmp(here, flat_, size_) == 0;
    }
    return load<std::uint64_t>(here + size_ - sizeof last_) == last_ &&
           std::memcmp(here, flat_, size_) == 0;
  }

  // Texts of 7 to 63 bytes: the first byte is the length, so equal first bytes mean equal lengths.
  bool is_short_text() const {
    return size_ >= sizeof last_ && size_ <= 64 && byte_of(flat_[0]) >> 6 == 2;
  }
  // Compares every element from `at` on, of any kind. For those of the wanted length,
  // which in most collections are all, only the first byte and the last eight. SIZE_MAX:
  // none.
  template <bool kBackLengths>
  std::size_t find_short_text(std::string_view bytes, std::size_t at) const {
    const std::size_t end = bytes.size() - 1;
    const char* const base = bytes.data();
    const char head = flat_[0];
    const std::size_t size = size_;
    const std::size_t stride = kBackLengths ? size + 1 : size;
    while (at < end) {
      const char* here = base + at;
      if (*here == head) {
        if (load<std::uint64_t>(here + size - sizeof last_) == last_ &&
            std::memcmp(here, flat_, size) == 0) {
          return at;
        }
        at += stride;
      } else {
        at += with_back_length<kBackLengths>(size_at(here));
      }
    }
    return SIZE_MAX;
  }

 private:
  const Encoded* wanted_;
  std::size_t size_;
  std::uint64_t last_ = 0;
  char flat_[72];  // longer ones do not stay packed by default
};

}  // namespace

template <bool kBackLengths>
std::size_t PackView<kBackLengths>::size() const {
  const std::size_t count = load<std::uint16_t>(bytes_.data() + kCountOffset);
  if (count != kManyElements) return count;
  std::size_t walked = 0;
  for (Place at = first(); at != kNone; at = next(at)) ++walked;
  return walked;
}

template <bool kBackLengths>
std::size_t PackView<kBackLengths>::whole_size(Place at) const {
  return with_back_length<kBackLengths>(size_at(bytes_.data() + at));
}

// The element that ends at `end`.
template <bool kBackLengths>
typename PackView<kBackLengths>::Place PackView<kBackLengths>::before(std::size_t end) const {
  const char* p = bytes_.data() + end - 1;
  std::size_t size = 0;
  for (int shift = 0;; shift += 7, --p) {
    size |= static_cast<std::size_t>(byte_of(*p) & 127) << shift;
    if (!(byte_of(*p) & 128)) break;
  }
  return static_cast<Place>(end - back_size(size) - size);
}

template <bool kBackLengths>
typename PackView<kBackLengths>::Place PackView<kBackLengths>::seek(std::int64_t index) const {
  const auto count = static_cast<std::int64_t>(size());
  if (index < 0) index += count;
  if (index < 0 || index >= count) return kNone;
  if constexpr (kBackLengths) {
    if (index > count / 2) {
      Place at = last();
      for (; index < count - 1; ++index) at = prev(at);
      return at;
    }
  }
  Place at = first();
  for (; index > 0; --index) at = next(at);
  return at;
}

template <bool kBackLengths>
typename PackView<kBackLengths>::Place PackView<kBackLengths>::find(const Encoded& wanted,
                                                                    Place from,
                                                                    unsigned skip) const {
  const std::size_t end = bytes_.size() - 1;
  std::size_t at = from;
  if (from == kNone) return kNone;
  const FlatPattern pattern(wanted);
  if (skip == 0 && pattern.is_short_text()) {
    const std::size_t found = pattern.find_short_text<kBackLengths>(bytes_, from);
    return found == SIZE_MAX ? kNone : static_cast<Place>(found);
  }
  unsigned skipping = 0;
  while (at < end) {
    const char* here = bytes_.data() + at;
    if (skipping == 0) {
      if (pattern.is_at(here, end - at)) return static_cast<Place>(at);
      skipping = skip;
    } else {
      --skipping;
    }
    at += with_back_length<kBackLengths>(size_at(here));
  }
  return kNone;
}

template <bool kBackLengths>
bool PackView<kBackLengths>::is_valid(std::string_view bytes) {
  if (bytes.size() < kEmptyBytes) return false;
  if constexpr (kBackLengths) {
    if (load<std::uint32_t>(bytes.data()) != bytes.size()) return false;
  } else if (bytes[0] != kFrontpackMark) {
    return false;
  }
  const std::size_t end = bytes.size() - 1;
  if (byte_of(bytes[end]) != kEnd) return false;
  std::size_t count = 0;
  std::size_t at = kHeaderBytes;
  while (at < end) {
    const std::size_t size = checked_encoded_size(bytes.data() + at, end - at);
    if (size == 0) return false;
    if constexpr (kBackLengths) {
      char back[5];
      const std::size_t width = back_size(size);
      write_back_length(back, size);
      if (width > end - at - size) return false;
      if (std::memcmp(bytes.data() + at + size, back, width) != 0) return false;
    }
    at += with_back_length<kBackLengths>(size);
    ++count;
  }
  const std::size_t told = load<std::uint16_t>(bytes.data() + kCountOffset);
  return told == kManyElements || told == count;
}

// --- changing ----------------------------------------------------------------------------------

template <bool kBackLengths>
Pack<kBackLengths>::Pack(Cell& cell) : View(cell.packed()), cell_(&cell) {
  ASSERT(!cell.is_tree());
  if (cell.size() != 0) return;
  char* bytes = cell.resize(kEmptyBytes);
  bytes_ = cell.packed();
  std::memset(bytes, 0, kHeaderBytes);
  bytes[kHeaderBytes] = static_cast<char>(kEnd);
  if constexpr (!kBackLengths) bytes[0] = kFrontpackMark;
  set_header(0);
}

template <bool kBackLengths>
std::size_t Pack<kBackLengths>::stored_size(const Encoded& encoded) {
  return with_back_length<kBackLengths>(encoded.size());
}

template <bool kBackLengths>
char* Pack<kBackLengths>::store(char* out, const Encoded& encoded) {
  out = encoded.write(out);
  if constexpr (!kBackLengths) return out;
  write_back_length(out, encoded.size());
  return out + back_size(encoded.size());
}

template <bool kBackLengths>
std::size_t Pack<kBackLengths>::cost(Elements elements) {
  std::size_t total = 0;
  for (const Element& element : elements) total += stored_size(Encoded(element));
  return total;
}

template <bool kBackLengths>
void Pack<kBackLengths>::set_header(std::int64_t added) {
  char* bytes = cell_->data();
  if constexpr (kBackLengths) {
    const auto total = static_cast<std::uint32_t>(bytes_.size());
    std::memcpy(bytes, &total, sizeof total);
  }
  const auto count = load<std::uint16_t>(bytes + kCountOffset);
  if (count == kManyElements && added > 0) return;
  // Once its count is unknown it is counted again only when elements are removed.
  const std::int64_t now =
      count == kManyElements ? static_cast<std::int64_t>(size()) : count + added;
  const auto kept = static_cast<std::uint16_t>(now >= static_cast<std::int64_t>(kManyElements)
                                                   ? kManyElements
                                                   : static_cast<std::size_t>(now));
  std::memcpy(bytes + kCountOffset, &kept, sizeof kept);
}

// Replaces `removed` bytes at `at` by `added` bytes of room, and returns where that room is.
template <bool kBackLengths>
char* Pack<kBackLengths>::splice(std::size_t at, std::size_t removed, std::size_t added) {
  const std::size_t old = bytes_.size();
  const std::size_t fresh = old - removed + added;
  ASSERT(fresh <= UINT32_MAX);
  char* bytes = cell_->data();
  const std::size_t rest = old - at - removed;
  if (at == kHeaderBytes && rest > 1 && added != removed) {
    // At the front: the cell may have room there, and then only the header moves.
    char header[kHeaderBytes];
    std::memcpy(header, bytes, sizeof header);
    bytes = cell_->resize_front(fresh);
    std::memcpy(bytes, header, sizeof header);
  } else if (added > removed) {
    bytes = cell_->resize(fresh);
    std::memmove(bytes + at + added, bytes + at + removed, rest);
  } else if (added < removed) {
    std::memmove(bytes + at + added, bytes + at + removed, rest);
    bytes = cell_->resize(fresh);
  }
  bytes_ = cell_->packed();
  return bytes + at;
}

template <bool kBackLengths>
typename Pack<kBackLengths>::Place Pack<kBackLengths>::insert(Place before, Elements elements) {
  const std::size_t at = before == kNone ? bytes_.size() - 1 : before;
  char* out = splice(at, 0, cost(elements));
  for (const Element& element : elements) {
    out = store(out, Encoded(element));
  }
  set_header(static_cast<std::int64_t>(elements.size()));
  return static_cast<Place>(at);
}

template <bool kBackLengths>
typename Pack<kBackLengths>::Place Pack<kBackLengths>::replace(Place at, const Element& element) {
  const Encoded encoded(element);
  char* out = splice(at, whole_size(at), stored_size(encoded));
  store(out, encoded);
  set_header(0);
  return at;
}

template <bool kBackLengths>
typename Pack<kBackLengths>::Place Pack<kBackLengths>::erase(Place at, std::size_t count) {
  std::size_t end = at;
  std::size_t erased = 0;
  for (; erased < count && end < bytes_.size() - 1; ++erased) {
    end += whole_size(static_cast<Place>(end));
  }
  splice(at, end - at, 0);
  set_header(-static_cast<std::int64_t>(erased));
  return at + 1u == bytes_.size() ? kNone : at;
}

template <bool kBackLengths>
std::size_t Pack<kBackLengths>::erase_equal(const Encoded& wanted, std::size_t skip,
                                            std::size_t max) {
  char* bytes = cell_->data();
  const std::size_t end = bytes_.size() - 1;
  std::size_t erased = 0;
  std::size_t kept_end = kHeaderBytes;
  for (std::size_t at = kHeaderBytes; at < end;) {
    const std::size_t whole = whole_size(static_cast<Place>(at));
    const bool equal = erased < max && wanted.matches(bytes + at, end - at);
    if (equal && skip == 0) {
      ++erased;
    } else {
      if (equal) --skip;
      if (kept_end != at) std::memmove(bytes + kept_end, bytes + at, whole);
      kept_end += whole;
    }
    at += whole;
  }
  if (erased == 0) return 0;
  bytes[kept_end] = static_cast<char>(kEnd);
  cell_->resize(kept_end + 1);
  bytes_ = cell_->packed();
  set_header(-static_cast<std::int64_t>(erased));
  return erased;
}

template class PackView<true>;
template class PackView<false>;
template class Pack<true>;
template class Pack<false>;

std::string as_listpack(FrontpackView pack) {
  std::string bytes(sizeof(std::uint32_t), '\0');
  bytes.append(pack.bytes().substr(1, sizeof(std::uint16_t)));
  const std::size_t end = pack.bytes().size() - 1;
  for (std::size_t at = FrontpackView::kHeaderBytes; at < end;) {
    const char* here = pack.bytes().data() + at;
    const std::size_t size = size_at(here);
    char back[5];
    write_back_length(back, size);
    bytes.append(here, size).append(back, back_size(size));
    at += size;
  }
  bytes += static_cast<char>(kEnd);
  const auto total = static_cast<std::uint32_t>(bytes.size());
  std::memcpy(bytes.data(), &total, sizeof total);
  return bytes;
}

}  // namespace slotcar::types
