// Redis's glob: * ? [a-z] [^x] \escape. A star takes any number of characters, none included:
// unlike in Redis that holds for an empty text too, where "**" would match nothing there.
//
// How long a match takes. A pattern is pieces between stars. The first piece belongs at the
// beginning of the text and the last one at its end, so each is compared once; the others are
// searched for, one after the other, each from where the one before it ended. A piece of plain
// characters is found in linear time. A piece with wildcards of n characters takes n/64 steps for
// each character of the text at worst: half a second for a text of 500 KB and a piece of 100 KB.
#pragma once

#include <string_view>

namespace slotcar::base {

bool glob_match(std::string_view pattern, std::string_view text, bool ignore_case = false);
// A pattern without any special character matches one text only.
bool glob_is_literal(std::string_view pattern);

}  // namespace slotcar::base
