// Words: how a line is cut into arguments, in inline commands, in the configuration file and in
// transcripts. Blanks separate words; "double quotes" know the escapes \n \r \t \b \a \xHH
// and \ before any other character; 'single quotes' know \' alone. A closing quote must be
// followed by a blank or the end.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resp/arguments.h"

namespace slotcar::resp {

// Splits the line in place: a word is never longer than its spelling, so words are assembled in the
// line's own bytes and the views point there. False when a quote is not closed or is followed by a
// letter; `out` is then meaningless.
bool split_words_in_place(char* line, char* end, Arguments& out);

std::optional<std::vector<std::string>> split_words(std::string_view line);

// The text in double quotes, with escapes for all that is not printable ASCII.
std::string quote_word(std::string_view text);

}  // namespace slotcar::resp
