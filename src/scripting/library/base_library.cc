// The functions of Lua's base library that are replaced: because they could change a shared table,
// catch the order to stop, load bytecode, or because Lua's own are not safe.
#include <string>
#include <string_view>

#include "base/limits.h"
#include "scripting/chunk.h"
#include "scripting/interpreter.h"
#include "scripting/library/libraries.h"
#include "scripting/shared_table.h"

namespace slotcar::scripting {
namespace {

// As Redis's: of an error that is a table with a text `err`, the text.
int protected_call(lua_State* lua) {
  luaL_checkany(lua, 1);
  const int arguments = lua_gettop(lua) - 1;
  lua_pushboolean(lua, 1);
  lua_insert(lua, 1);
  if (lua_pcall(lua, arguments, LUA_MULTRET, 0) != 0) {
    Interpreter::of(lua).raise_if_stopping(lua);
    lua_remove(lua, 1);
    if (lua_istable(lua, -1)) {
      lua_getfield(lua, -1, "err");
      if (lua_isstring(lua, -1)) lua_replace(lua, -2);
    }
    lua_pushboolean(lua, 0);
    lua_insert(lua, 1);
  }
  return lua_gettop(lua);
}

// The handler of a script is not called once the script has to stop: an endless one would go on
// where no hook is called.
int call_handler(lua_State* lua) {
  if (Interpreter::of(lua).stopping()) return 1;
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_insert(lua, 1);
  lua_call(lua, lua_gettop(lua) - 1, 1);
  return 1;
}

int protected_call_with_handler(lua_State* lua) {
  luaL_checkany(lua, 2);
  lua_settop(lua, 2);
  lua_pushcclosure(lua, call_handler, 1);
  lua_insert(lua, 1);
  const int status = lua_pcall(lua, 0, LUA_MULTRET, 1);
  if (status != 0) Interpreter::of(lua).raise_if_stopping(lua);
  lua_pushboolean(lua, status == 0);
  lua_replace(lua, 1);
  return lua_gettop(lua);
}

int unpack(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  const lua_Integer first = luaL_optinteger(lua, 2, 1);
  const lua_Integer last = lua_isnoneornil(lua, 3) ? static_cast<lua_Integer>(lua_objlen(lua, 1))
                                                   : luaL_checkinteger(lua, 3);
  if (first > last) return 0;
  const auto count = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  if (count >= limits::kScriptResultsMax || !lua_checkstack(lua, static_cast<int>(count) + 1)) {
    return luaL_error(lua, "too many results to unpack");
  }
  for (lua_Integer i = first; i < last; ++i) lua_rawgeti(lua, 1, static_cast<int>(i));
  lua_rawgeti(lua, 1, static_cast<int>(last));
  return static_cast<int>(count) + 1;
}

int raw_set(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  luaL_checkany(lua, 2);
  luaL_checkany(lua, 3);
  lua_settop(lua, 3);
  if (is_shared(lua, 1)) return raise_readonly_bare(lua);
  lua_rawset(lua, 1);
  return 1;
}

int raw_get(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  luaL_checkany(lua, 2);
  lua_settop(lua, 2);
  if (contents_of(lua, 1)) lua_replace(lua, 1);
  lua_rawget(lua, 1);
  return 1;
}

int next(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_settop(lua, 2);
  if (contents_of(lua, 1)) lua_replace(lua, 1);
  if (lua_next(lua, 1)) return 2;
  lua_pushnil(lua);
  return 1;
}

int pairs(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_pushcfunction(lua, next);
  lua_pushvalue(lua, 1);
  lua_pushnil(lua);
  return 3;
}

int set_metatable(lua_State* lua) {
  const int type = lua_type(lua, 2);
  luaL_checktype(lua, 1, LUA_TTABLE);
  luaL_argcheck(lua, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table expected");
  if (is_shared(lua, 1)) return raise_readonly_bare(lua);
  if (luaL_getmetafield(lua, 1, "__metatable")) {
    return luaL_error(lua, "cannot change a protected metatable");
  }
  lua_settop(lua, 2);
  lua_setmetatable(lua, 1);
  return 1;
}

// The real metatables of shared tables and of strings stay hidden: what a script sees of them is a
// shared table (Interpreter::shown_metatable), or nothing.
int get_metatable(lua_State* lua) {
  luaL_checkany(lua, 1);
  if (lua_type(lua, 1) == LUA_TSTRING || is_shared(lua, 1)) {
    Interpreter::of(lua).push_shown_metatable(lua, 1);
    return 1;
  }
  if (!lua_getmetatable(lua, 1)) {
    lua_pushnil(lua);
    return 1;
  }
  luaL_getmetafield(lua, 1, "__metatable");
  return 1;
}

// Pushes the globals of the innermost running function that is written in Lua. C functions have
// an environment too, but not one that a script may see.
bool push_callers_globals(lua_State* lua) {
  lua_Debug caller;
  for (int level = 1; lua_getstack(lua, level, &caller); ++level) {
    lua_getinfo(lua, "Sf", &caller);
    if (caller.what[0] != 'C') {
      lua_getfenv(lua, -1);
      lua_remove(lua, -2);
      if (is_shared(lua, -1)) return true;
    }
    lua_pop(lua, 1);
  }
  return false;
}

// What a script loads sees the globals of the function that loads it.
int loaded(lua_State* lua, std::string_view text, const char* name) {
  luaL_checkstack(lua, 4, "no room to load");
  if (!parse_chunk(lua, text, name)) {
    lua_pushnil(lua);
    lua_insert(lua, -2);
    return 2;
  }
  if (push_callers_globals(lua)) lua_setfenv(lua, -2);
  return 1;
}

int load_string(lua_State* lua) {
  const std::string_view text = checked_text(lua, 1);
  return loaded(lua, text, luaL_optstring(lua, 2, text.data()));
}

// The pieces are collected first: while the parser runs, nothing of the script does.
int load(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TFUNCTION);
  const char* const name = luaL_optstring(lua, 2, "=(load)");
  std::string text;
  for (;;) {
    lua_pushvalue(lua, 1);
    if (lua_pcall(lua, 0, 1, 0) != 0) {
      Interpreter::of(lua).raise_if_stopping(lua);
      lua_pushnil(lua);
      lua_insert(lua, -2);
      return 2;
    }
    if (lua_isnil(lua, -1)) break;
    if (!lua_isstring(lua, -1)) {
      lua_pushnil(lua);
      lua_pushliteral(lua, "reader function must return a string");
      return 2;
    }
    const std::string_view piece = text_at(lua, -1);
    if (piece.empty() || text.size() + piece.size() > limits::kScriptTextBytesMax) {
      text.append(piece);  // too long: parse_chunk says so
      break;
    }
    text.append(piece);
    lua_pop(lua, 1);
  }
  return loaded(lua, text, name);
}

// The collector's settings belong to the interpreter and not to one script: they can be asked for,
// and setting them changes nothing.
int collect_garbage(lua_State* lua) {
  static const char* const kOptions[] = {"stop", "restart",  "collect",    "count",
                                         "step", "setpause", "setstepmul", nullptr};
  switch (luaL_checkoption(lua, 1, "collect", kOptions)) {
    case 2:
      lua_gc(lua, LUA_GCCOLLECT, 0);
      lua_pushnumber(lua, 0);
      return 1;
    case 3:
      lua_pushnumber(lua, lua_gc(lua, LUA_GCCOUNT, 0) + lua_gc(lua, LUA_GCCOUNTB, 0) / 1024.0);
      return 1;
    case 4:
      lua_pushboolean(lua, lua_gc(lua, LUA_GCSTEP, luaL_optint(lua, 2, 0)));
      return 1;
    default:
      lua_pushnumber(lua, 0);
      return 1;
  }
}

int gc_info(lua_State* lua) {
  lua_pushinteger(lua, lua_gc(lua, LUA_GCCOUNT, 0));
  return 1;
}

constexpr luaL_Reg kFunctions[] = {{"pcall", protected_call},
                                   {"xpcall", protected_call_with_handler},
                                   {"unpack", unpack},
                                   {"rawset", raw_set},
                                   {"rawget", raw_get},
                                   {"next", next},
                                   {"pairs", pairs},
                                   {"setmetatable", set_metatable},
                                   {"getmetatable", get_metatable},
                                   {"loadstring", load_string},
                                   {"load", load},
                                   {"collectgarbage", collect_garbage},
                                   {"gcinfo", gc_info},
                                   {nullptr, nullptr}};

constexpr const char* kRemoved[] = {"print",   "dofile",  "loadfile", "newproxy",
                                    "getfenv", "setfenv", "_G"};

}  // namespace

void replace_base_functions(lua_State* lua) {
  luaL_register(lua, nullptr, kFunctions);
  for (const char* const name : kRemoved) {
    lua_pushnil(lua);
    lua_setfield(lua, -2, name);
  }
}

}  // namespace slotcar::scripting
