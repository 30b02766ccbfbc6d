// The patterns of SORT's BY and GET: `#` is the element itself; `weight_*` is the string at the key
// whose name is the pattern with the element in place of the star; `user_*->age` is a field of the
// hash at that key. A pattern without a star names nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "commands/declare.h"
#include "types/element.h"
#include "types/hash.h"

namespace slotcar::commands {

class SortPattern {
 public:
  explicit SortPattern(std::string_view text) : is_element_(text == "#") {
    const std::size_t star = text.find('*');
    if (star == std::string_view::npos) return;
    has_star_ = true;
    prefix_ = text.substr(0, star);
    postfix_ = text.substr(star + 1);
    const std::size_t arrow = postfix_.find("->");
    if (arrow == std::string_view::npos || arrow + 2 == postfix_.size()) return;
    field_ = postfix_.substr(arrow + 2);
    postfix_ = postfix_.substr(0, arrow);
  }

  bool is_element() const { return is_element_; }
  bool names_keys() const { return has_star_; }
  // The key that it names for an element.
  void name_key(const types::Element& element, std::string& name) const {
    types::Element::Scratch scratch;
    name = prefix_;
    name += element.view(scratch);
    name += postfix_;
  }
  // What it means of that key's value, if there is such a thing there.
  std::optional<types::Element> value_in(UnixMs now, const Entry& entry) const {
    return field_.empty() ? string_in(entry) : field_in(now, entry);
  }

 private:
  static std::optional<types::Element> string_in(const Entry& entry) {
    if (!entry.is_string()) return std::nullopt;
    const types::StringRef value = entry.string();
    if (value.form == types::StringRef::Form::integer) return types::Element::of(value.number);
    return types::Element::bytes(value.text);
  }
  std::optional<types::Element> field_in(UnixMs now, const Entry& entry) const {
    if (entry.type() != types::Type::hash) return std::nullopt;
    types::Element value;
    if (!types::HashView(entry.cell(), now).find_value(field_, value)) return std::nullopt;
    return value;
  }

  bool is_element_;
  bool has_star_ = false;
  std::string_view prefix_;
  std::string_view postfix_;
  std::string_view field_;
};

}  // namespace slotcar::commands
