// Lua's C interface, as built by Debian in C++ (liblua5.1-c++): an error is thrown, not jumped, so
// the destructors of our own functions run. Only src/scripting includes it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

extern "C" {
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
}

namespace slotcar::scripting {

inline void push(lua_State* lua, std::string_view text) {
  lua_pushlstring(lua, text.data(), text.size());
}

// A string argument. Numbers are converted, as everywhere in Lua.
inline std::string_view checked_text(lua_State* lua, int argument) {
  std::size_t size = 0;
  const char* const text = luaL_checklstring(lua, argument, &size);
  return {text, size};
}

// The text at `index`, which is a string.
inline std::string_view text_at(lua_State* lua, int index) {
  std::size_t size = 0;
  const char* const text = lua_tolstring(lua, index, &size);
  return {text, size};
}

}  // namespace slotcar::scripting
