// Element: a member, field, value or list item, as callers pass it and as packed encodings store
// it: a 64-bit integer if the text is the exact decimal of one, else bytes. The codec is listpack's
// (see listpack.h), without its back length, so that equal elements have equal bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/numbers.h"

namespace slotcar::types {

// A view of one element; `text` points into its container.
struct Element {
  bool is_integer = false;
  std::int64_t number = 0;
  std::string_view text = {};

  using Scratch = char[24];
  // The bytes, whatever the encoding; an integer is printed into `scratch`.
  std::string_view view(Scratch& scratch) const {
    if (!is_integer) return text;
    return {scratch, static_cast<std::size_t>(base::print_int64(scratch, number))};
  }
  std::string copy() const {
    Scratch scratch;
    return std::string(view(scratch));
  }
  std::size_t size() const {
    return is_integer ? static_cast<std::size_t>(base::decimal_digits(number)) : text.size();
  }

  // As packed encodings store it: as a number if it parses as one.
  static Element of(std::string_view text) {
    Element element;
    // "-9223372036854775808" has 20 characters; longer text is not a number.
    element.is_integer = text.size() <= 20 && base::read_int64(text, element.number);
    if (!element.is_integer) element.text = text;
    return element;
  }
  static Element of(std::int64_t number) { return {true, number, {}}; }
  // The bytes unchanged, without checking whether they parse as a number.
  static Element bytes(std::string_view text) { return {false, 0, text}; }

  bool operator==(const Element& other) const {
    return is_integer == other.is_integer &&
           (is_integer ? number == other.number : text == other.text);
  }
};

// An element encoded for packed bytes: head, then tail.
class Encoded {
 public:
  explicit Encoded(const Element& element)
      : head_size_(write_head(head_, element)), tail_(element.text) {}
  explicit Encoded(std::string_view text) : Encoded(Element::of(text)) {}

  std::size_t size() const { return head_size_ + tail_.size(); }
  char* write(char* out) const {
    std::memcpy(out, head_, head_size_);
    if (!tail_.empty()) std::memcpy(out + head_size_, tail_.data(), tail_.size());
    return out + size();
  }
  // Whether the same element is encoded at `at`, where `room` bytes may be read.
  bool matches(const char* at, std::size_t room) const {
    return room >= size() && std::memcmp(at, head_, head_size_) == 0 &&
           (tail_.empty() || std::memcmp(at + head_size_, tail_.data(), tail_.size()) == 0);
  }

 private:
  static std::uint8_t write_head(char* head, const Element& element);

  char head_[9] = {};
  std::uint8_t head_size_;
  std::string_view tail_;  // empty for a number
};

// How many bytes the element encoded at `at` takes; its first byte is not a listpack end.
std::size_t encoded_size(const char* at);
Element decode(const char* at);
// The size of the element at `at` if it is complete within `room` bytes, else 0: for untrusted
// bytes.
std::size_t checked_encoded_size(const char* at, std::size_t room);

}  // namespace slotcar::types
