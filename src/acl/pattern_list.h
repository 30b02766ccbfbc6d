// PatternList: patterns in the order of their rules, each with what belongs to it, each once. An
// index finds one by its text, so that a user of ten thousand patterns is made in linear time.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "acl/pattern.h"

namespace slotcar::acl {

template <class What>
class PatternList {
 public:
  struct Item {
    Pattern pattern;
    What what;
  };

  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  bool has(std::string_view text) const { return index_.find(text) != index_.end(); }

  // What belongs to the pattern with this text; `first` if it is new.
  What& get_or_add(std::string_view text, What first) {
    const auto found = index_.find(text);
    if (found != index_.end()) return items_[found->second].what;
    index_.emplace(text, items_.size());
    items_.push_back({Pattern(std::string(text)), std::move(first)});
    return items_.back().what;
  }
  void clear() {
    items_.clear();
    index_.clear();
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  std::vector<Item> items_;
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> index_;
};

}  // namespace slotcar::acl
