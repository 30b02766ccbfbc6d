// Walks through a listpack (types/packed/listpack.h) that came from outside. All of it is checked
// before the first element is returned. Elements that parse as numbers are numbers, however they
// were written.
#pragma once

#include <string_view>

#include "types/packed/listpack.h"
#include "types/packed/listpack_walk.h"

namespace slotcar::storage {

class ListpackWalk {
 public:
  explicit ListpackWalk(std::string_view bytes) : valid_(types::ListpackView::is_valid(bytes)) {
    if (!valid_) return;
    at_ = types::listpack_begin(bytes);
    end_ = types::pack_end(bytes);
  }

  bool next(types::Element& element) {
    if (at_ == end_) return false;
    element = types::listpack_next(at_);
    if (!element.is_integer) element = types::Element::of(element.text);
    return true;
  }
  bool is_valid() const { return valid_; }

 private:
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  bool valid_;
};

}  // namespace slotcar::storage
