// Pattern: a glob of a rule (~app:*, &news.*), with the common shapes recognised once, so that a
// check of "app:*" is a comparison of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace slotcar::acl {

class Pattern {
 public:
  explicit Pattern(std::string text);

  bool matches(std::string_view name) const {
    switch (shape_) {
      case Shape::any:
        return true;
      case Shape::prefix:
        return name.starts_with(std::string_view(text_.data(), fixed_));
      case Shape::literal:
        return name == text_;
      case Shape::glob:
        break;
    }
    return matches_glob(name);
  }
  bool matches_all() const { return shape_ == Shape::any; }
  // Whether every name that begins with `prefix()`, and no other, is meant.
  bool is_prefix() const { return shape_ == Shape::any || shape_ == Shape::prefix; }
  std::string_view prefix() const { return {text_.data(), fixed_}; }
  const std::string& text() const { return text_; }

 private:
  enum class Shape : std::uint8_t { any, prefix, literal, glob };
  bool matches_glob(std::string_view name) const;

  std::string text_;
  std::size_t fixed_ = 0;  // of a prefix: the bytes before the star
  Shape shape_ = Shape::glob;
};

}  // namespace slotcar::acl
