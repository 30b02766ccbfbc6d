#include "types/packed/intset.h"

#include <cstring>

#include "base/assert.h"

namespace slotcar::types {

namespace {

template <class T>
std::int64_t number_at(const char* at) {
  T number;
  std::memcpy(&number, at, sizeof number);
  return number;
}

template <class T>
void put_number(char* at, std::int64_t value) {
  const auto number = static_cast<T>(value);
  std::memcpy(at, &number, sizeof number);
}

bool is_width(std::uint32_t width) {
  return width == 2 || width == 4 || width == 8;
}

// One loop for each width: the compiler then knows the stride.
template <class T>
std::size_t lower_bound_of(const char* numbers, std::size_t size, std::int64_t wanted) {
  std::size_t low = 0;
  std::size_t left = size;
  while (left > 0) {
    const std::size_t half = left / 2;
    const bool less = number_at<T>(numbers + (low + half) * sizeof(T)) < wanted;
    low = less ? low + half + 1 : low;
    left = less ? left - half - 1 : half;
  }
  return low;
}

}  // namespace

std::uint32_t IntsetView::load(std::size_t offset) const {
  std::uint32_t value;
  std::memcpy(&value, bytes_.data() + offset, sizeof value);
  return value;
}

std::int64_t IntsetView::at(std::size_t index, std::size_t width) const {
  const char* from = bytes_.data() + kHeaderBytes + index * width;
  if (width == 2) return number_at<std::int16_t>(from);
  if (width == 4) return number_at<std::int32_t>(from);
  return number_at<std::int64_t>(from);
}

std::size_t IntsetView::width_of(std::int64_t number) {
  if (number >= INT16_MIN && number <= INT16_MAX) return 2;
  return number >= INT32_MIN && number <= INT32_MAX ? 4 : 8;
}

std::size_t IntsetView::lower_bound(std::int64_t number) const {
  const char* numbers = bytes_.data() + kHeaderBytes;
  switch (width()) {
    case 2:
      return lower_bound_of<std::int16_t>(numbers, size(), number);
    case 4:
      return lower_bound_of<std::int32_t>(numbers, size(), number);
    default:
      return lower_bound_of<std::int64_t>(numbers, size(), number);
  }
}

bool IntsetView::contains(std::int64_t number) const {
  if (width_of(number) > width()) return false;
  const std::size_t place = lower_bound(number);
  return place < size() && at(place) == number;
}

std::size_t IntsetView::bytes_with(std::int64_t number) const {
  const std::size_t needed = width_of(number);
  return kHeaderBytes + (size() + 1) * (needed > width() ? needed : width());
}

bool IntsetView::is_valid(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes) return false;
  const IntsetView view(bytes);
  const std::uint32_t width = view.load(0);
  const std::size_t count = view.size();
  if (!is_width(width) || count == 0 || bytes.size() - kHeaderBytes != count * width) return false;
  for (std::size_t i = 1; i < count; ++i) {
    if (view.at(i - 1, width) >= view.at(i, width)) return false;
  }
  return true;
}

// --- changing ----------------------------------------------------------------------------------

Intset::Intset(Cell& cell) : IntsetView(cell.packed()), cell_(&cell) {
  ASSERT(!cell.is_tree());
  if (cell.size() != 0) return;
  char* bytes = cell.resize(kHeaderBytes);
  const std::uint32_t header[2] = {2, 0};
  std::memcpy(bytes, header, sizeof header);
  bytes_ = cell.packed();
}

void Intset::store(std::size_t index, std::int64_t number, std::size_t width) {
  char* to = cell_->data() + kHeaderBytes + index * width;
  if (width == 2) return put_number<std::int16_t>(to, number);
  if (width == 4) return put_number<std::int32_t>(to, number);
  put_number<std::int64_t>(to, number);
}

void Intset::store_size(std::size_t size) {
  const auto count = static_cast<std::uint32_t>(size);
  std::memcpy(cell_->data() + 4, &count, sizeof count);
}

bool Intset::add(std::int64_t number) {
  const std::size_t needed = width_of(number);
  if (needed > width()) {
    widen(needed, number);
    return true;
  }
  const std::size_t count = size();
  const std::size_t place = lower_bound(number);
  if (place < count && at(place) == number) return false;
  const std::size_t stride = width();
  const std::size_t from = kHeaderBytes + place * stride;
  char* bytes = cell_->resize(kHeaderBytes + (count + 1) * stride);
  std::memmove(bytes + from + stride, bytes + from, (count - place) * stride);
  bytes_ = cell_->packed();
  store(place, number, stride);
  store_size(count + 1);
  return true;
}

// A number that does not fit the present width is smaller or larger than all others.
void Intset::widen(std::size_t fresh, std::int64_t number) {
  const std::size_t count = size();
  const std::size_t old = width();
  cell_->resize(kHeaderBytes + (count + 1) * fresh);
  bytes_ = cell_->packed();
  const std::size_t shift = number < 0 ? 1 : 0;
  // From the last one down, so that no number is overwritten before it is read.
  for (std::size_t i = count; i-- > 0;) store(i + shift, at(i, old), fresh);
  const auto kept = static_cast<std::uint32_t>(fresh);
  std::memcpy(cell_->data(), &kept, sizeof kept);
  store(number < 0 ? 0 : count, number, fresh);
  store_size(count + 1);
}

bool Intset::remove(std::int64_t number) {
  if (width_of(number) > width()) return false;
  const std::size_t place = lower_bound(number);
  if (place == size() || at(place) != number) return false;
  remove_at(place);
  return true;
}

void Intset::remove_at(std::size_t index) {
  const std::size_t count = size();
  ASSERT(index < count);
  const std::size_t stride = width();
  char* gap = cell_->data() + kHeaderBytes + index * stride;
  std::memmove(gap, gap + stride, (count - index - 1) * stride);
  store_size(count - 1);
  cell_->resize(kHeaderBytes + (count - 1) * stride);
  bytes_ = cell_->packed();
}

}  // namespace slotcar::types
