#include "acl/pattern.h"

#include <utility>

#include "base/glob.h"

namespace slotcar::acl {

Pattern::Pattern(std::string text) : text_(std::move(text)) {
  const std::string_view whole = text_;
  if (whole == "*") {
    shape_ = Shape::any;
  } else if (base::glob_is_literal(whole)) {
    shape_ = Shape::literal;
  } else if (whole.ends_with('*') && base::glob_is_literal(whole.substr(0, whole.size() - 1))) {
    shape_ = Shape::prefix;
    fixed_ = whole.size() - 1;
  }
}

bool Pattern::matches_glob(std::string_view name) const {
  return base::glob_match(text_, name);
}

}  // namespace slotcar::acl
