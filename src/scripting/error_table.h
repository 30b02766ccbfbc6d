// Errors as scripts see them: a table with the text in `err` (its first word is the code), and,
// once the script has failed, where: `source` and `line`.
#pragma once

#include <string>
#include <string_view>

#include "scripting/lua.h"

namespace slotcar::scripting {

// Pushes the table. A text with a dash in front brings its code along; one without gets ERR.
void push_error_table(lua_State* lua, std::string_view text);
int raise_error_table(lua_State* lua, std::string_view text);

struct ErrorParts {
  std::string text;
  std::string source;
  std::string line;
  bool counted = false;  // by the command that answered it
};
// Of the table on top of the stack, which stays there.
ErrorParts read_error_table(lua_State* lua);

// For lua_pcall: makes any error such a table and notes in it where it happened.
int note_error_place(lua_State* lua);

}  // namespace slotcar::scripting
