// table: insert, which could write into a shared table, and which can move far more elements than
// there are. The others are Lua's own: on a shared table, which has no elements, they do nothing.
#include <algorithm>

#include "scripting/interpreter.h"
#include "scripting/library/libraries.h"
#include "scripting/shared_table.h"

namespace slotcar::scripting {
namespace {

int insert(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  if (is_shared(lua, 1)) return raise_readonly_bare(lua);
  int end = static_cast<int>(lua_objlen(lua, 1)) + 1;
  switch (lua_gettop(lua)) {
    case 2:
      lua_rawseti(lua, 1, end);
      return 0;
    case 3: {
      const int position = luaL_checkint(lua, 2);
      end = std::max(end, position);
      constexpr int kMovesBetweenLooks = 1 << 16;
      for (int i = end; i > position; --i) {
        if (i % kMovesBetweenLooks == 0) Interpreter::of(lua).look_whether_to_stop(lua);
        lua_rawgeti(lua, 1, i - 1);
        lua_rawseti(lua, 1, i);
      }
      lua_rawseti(lua, 1, position);
      return 0;
    }
    default:
      return luaL_error(lua, "wrong number of arguments to 'insert'");
  }
}

}  // namespace

void replace_table_functions(lua_State* lua) {
  lua_pushcfunction(lua, insert);
  lua_setfield(lua, -2, "insert");
}

}  // namespace slotcar::scripting
