// Redis's glob: * ? [a-z] [^x] \escape. Linear in pattern times text, whatever the pattern
// (no exponential backtracking). A star takes any number of characters, none included: unlike in
// Redis that holds for an empty text too, where "**" would match nothing there.
#pragma once

#include <string_view>

namespace slotcar::base {

bool glob_match(std::string_view pattern, std::string_view text, bool ignore_case = false);
// A pattern without any special character matches one text only.
bool glob_is_literal(std::string_view pattern);

}  // namespace slotcar::base
