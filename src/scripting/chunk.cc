#include "scripting/chunk.h"

#include <string>

#include "base/limits.h"

namespace slotcar::scripting {

bool parse_chunk(lua_State* lua, std::string_view text, const char* name) {
  luaL_checkstack(lua, 3, "no room to parse");
  if (text.size() > limits::kScriptTextBytesMax) {
    lua_pushliteral(lua, "the text of the script is too long");
    return false;
  }
  std::string spaced;
  if (text.starts_with(LUA_SIGNATURE[0])) {  // What follows a space is read as text.
    spaced = " ";
    spaced += text;
    text = spaced;
  }
  lua_gc(lua, LUA_GCSTOP, 0);
  const int status = luaL_loadbuffer(lua, text.data(), text.size(), name);
  lua_gc(lua, LUA_GCRESTART, 0);
  return status == 0;
}

}  // namespace slotcar::scripting
