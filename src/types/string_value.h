// String values: as input (StringInput) and as stored in an entry (StringRef).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/numbers.h"
#include "base/shared_bytes.h"

namespace slotcar::types {

// A string to be stored: bytes to copy, or a buffer that may be stored without a copy.
struct StringInput {
  std::string_view bytes;
  const base::SharedBytes* shared = nullptr;  // if set, `bytes` is its view

  StringInput(std::string_view b, const base::SharedBytes* s) : bytes(b), shared(s) {}
  template <class Text>
  requires std::convertible_to<const Text&, std::string_view> StringInput(const Text& text)
      : bytes(text) {}
};

// A view of a stored string; valid while the token is held.
struct StringRef {
  enum class Form : std::uint8_t { integer, bytes, shared };
  Form form = Form::bytes;
  std::int64_t number = 0;     // integer
  std::string_view text = {};  // bytes, shared
  void* buffer = nullptr;      // shared: SharedBytes::share(buffer) pins it

  using Scratch = char[24];
  // The bytes, whatever the encoding; an integer is printed into `scratch`.
  std::string_view view(Scratch& scratch) const {
    if (form != Form::integer) return text;
    return {scratch, static_cast<std::size_t>(base::print_int64(scratch, number))};
  }
  std::size_t size() const {
    return form == Form::integer ? static_cast<std::size_t>(base::decimal_digits(number))
                                 : text.size();
  }
  // Whether its owner can make it `size` bytes long and write into it in place.
  bool is_writable(std::size_t size) const {
    if (form != Form::shared) return false;
    base::SharedBytes borrowed = base::SharedBytes::adopt(buffer);
    const bool writable = borrowed.is_writable(size);
    borrowed.detach();
    return writable;
  }
};

}  // namespace slotcar::types
