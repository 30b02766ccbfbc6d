#include "slotcar/request.h"

#include <cstdlib>

#include "base/assert.h"
#include "base/numbers.h"

namespace slotcar::client {
namespace {

// "$<20 digits>\r\n" and the "\r\n" behind the value.
constexpr std::size_t kFrameBytes = 26;

}  // namespace

// Not inline: every command that a program uses would compile them anew.
Request::Request(const Request&) = default;
Request::Request(Request&&) noexcept = default;
Request& Request::operator=(const Request&) = default;
Request& Request::operator=(Request&&) noexcept = default;
Request::~Request() = default;

Request::Request(std::string_view command) {
  body_.reserve(command.size() + 64);
  add(command, false);
  name_at_ = static_cast<std::uint16_t>(body_.size() - command.size() - 2);
  name_size_ = static_cast<std::uint16_t>(command.size());
}

Request Request::of(std::initializer_list<std::string_view> words) {
  ASSERT(words.size() > 0);
  Request request(*words.begin());
  for (auto word = words.begin() + 1; word != words.end(); ++word) request.add(*word, false);
  return request;
}

Request Request::of(const std::vector<std::string>& words) {
  ASSERT(!words.empty());
  Request request(words[0]);
  for (std::size_t i = 1; i < words.size(); ++i) request.add(words[i], false);
  return request;
}

Request& Request::add(std::string_view value, bool is_key) {
  const std::size_t before = body_.size();
  // Offsets are 32 bits wide; no server takes a request of that size.
  ASSERT(before + value.size() + kFrameBytes < UINT32_MAX);
  char digits[kFrameBytes];
  digits[0] = '$';
  int header = 1 + base::print_int64(digits + 1, static_cast<std::int64_t>(value.size()));
  digits[header++] = '\r';
  digits[header++] = '\n';
  body_.append(digits, static_cast<std::size_t>(header));
  const auto at = static_cast<std::uint32_t>(body_.size());
  body_.append(value);
  body_.append("\r\n", 2);
  ++count_;
  if (is_key) {
    const auto size = static_cast<std::uint32_t>(value.size());
    if (first_key_size_ == kNoKey) {
      first_key_at_ = at;
      first_key_size_ = size;
    } else {
      more_keys_.push_back({at, size});
    }
  }
  return *this;
}

Request& Request::add_integer(std::int64_t value) {
  char digits[24];
  const int size = base::print_int64(digits, value);
  return add({digits, static_cast<std::size_t>(size)}, false);
}

Request& Request::add_unsigned(std::uint64_t value) {
  char digits[24];
  const int size = base::print_uint64(digits, value);
  return add({digits, static_cast<std::size_t>(size)}, false);
}

Request& Request::add_real(double value) {
  return add(base::print_double(value), false);
}

std::string_view Request::argument(std::size_t index) const {
  ASSERT(index < count_);
  const char* at = body_.data();
  for (;;) {
    char* end = nullptr;
    const std::size_t size = std::strtoull(at + 1, &end, 10);
    if (index-- == 0) return {end + 2, size};
    at = end + 2 + size + 2;
  }
}

std::vector<std::string_view> Request::keys() const {
  std::vector<std::string_view> all;
  if (!has_key()) return all;
  all.push_back(first_key());
  for (const Place& place : more_keys_) all.emplace_back(body_.data() + place.at, place.size);
  return all;
}

}  // namespace slotcar::client
