// Digits: a number as the text of an effect. It must live as long as the view of it is used, which
// a temporary in the call that takes the view does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/numbers.h"

namespace slotcar::keyspace {

class Digits {
 public:
  explicit Digits(std::int64_t number)
      : size_(static_cast<std::size_t>(base::print_int64(text_, number))) {}
  explicit Digits(std::uint64_t number)
      : size_(static_cast<std::size_t>(base::print_uint64(text_, number))) {}
  explicit Digits(std::uint32_t number) : Digits(std::uint64_t{number}) {}
  Digits(const Digits&) = delete;
  Digits& operator=(const Digits&) = delete;
  operator std::string_view() const { return {text_, size_}; }

 private:
  char text_[24];
  std::size_t size_;
};

}  // namespace slotcar::keyspace
