// Parsing of a script's text. The one place that calls Lua's parser.
#pragma once

#include <string_view>

#include "scripting/lua.h"

namespace slotcar::scripting {

// Pushes the function that the text is, or a text that says what is wrong. Bytecode is no text: it
// is a syntax error. The collector is stopped meanwhile, because the parser of Lua 5.1 holds
// strings that nothing else refers to.
bool parse_chunk(lua_State* lua, std::string_view text, const char* name);

}  // namespace slotcar::scripting
