#include "scripting/shared_table.h"

namespace slotcar::scripting {
namespace {

// The key, in the metatable of a shared table, of its contents. No script gets that metatable.
void push_mark(lua_State* lua) {
  static const char kMark = 0;
  lua_pushlightuserdata(lua, const_cast<char*>(&kMark));
}

constexpr const char* kReadonly = "Attempt to modify a readonly table";

}  // namespace

void share_table(lua_State* lua) {
  luaL_checkstack(lua, 4, "no room for a shared table");
  lua_newtable(lua);  // contents, shared
  lua_newtable(lua);  // contents, shared, metatable
  lua_pushvalue(lua, -3);
  lua_setfield(lua, -2, "__index");
  lua_pushcfunction(lua, raise_readonly);
  lua_setfield(lua, -2, "__newindex");
  push_mark(lua);
  lua_pushvalue(lua, -4);
  lua_rawset(lua, -3);
  lua_setmetatable(lua, -2);
  lua_remove(lua, -2);
}

void set_contents(lua_State* lua, int index) {
  lua_getmetatable(lua, index);
  lua_pushvalue(lua, -2);
  lua_setfield(lua, -2, "__index");
  push_mark(lua);
  lua_pushvalue(lua, -3);
  lua_rawset(lua, -3);
  lua_pop(lua, 2);
}

bool contents_of(lua_State* lua, int index) {
  if (!lua_istable(lua, index) || !lua_getmetatable(lua, index)) return false;
  push_mark(lua);
  lua_rawget(lua, -2);
  lua_remove(lua, -2);
  if (lua_istable(lua, -1)) return true;
  lua_pop(lua, 1);
  return false;
}

bool is_shared(lua_State* lua, int index) {
  luaL_checkstack(lua, 2, "no room to look at a table");
  if (!contents_of(lua, index)) return false;
  lua_pop(lua, 1);
  return true;
}

int raise_readonly(lua_State* lua) {
  return luaL_error(lua, kReadonly);
}

int raise_readonly_bare(lua_State* lua) {
  lua_pushstring(lua, kReadonly);
  return lua_error(lua);
}

}  // namespace slotcar::scripting
