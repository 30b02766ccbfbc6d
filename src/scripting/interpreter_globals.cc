// What scripts see: built once, when the interpreter is made.
#include "scripting/error_table.h"
#include "scripting/interpreter.h"
#include "scripting/library/libraries.h"
#include "scripting/shared_table.h"

namespace slotcar::scripting {
namespace {

// Lua's __index of the globals: reading a variable that does not exist is an error.
int raise_nonexistent(lua_State* lua) {
  if (!lua_isstring(lua, 2)) {
    return luaL_error(lua, "Second argument to luaProtectedTableError must be a string or number");
  }
  return luaL_error(lua, "Script attempted to access nonexistent global variable '%s'",
                    lua_tostring(lua, 2));
}

// Gives the table on top of the stack that __index.
void forbid_unknown_names(lua_State* lua) {
  lua_newtable(lua);
  lua_pushcfunction(lua, raise_nonexistent);
  lua_setfield(lua, -2, "__index");
  lua_setmetatable(lua, -2);
}

void open_library(lua_State* lua, lua_CFunction open, const char* name) {
  lua_pushcfunction(lua, open);
  lua_pushstring(lua, name);
  lua_call(lua, 1, 0);
}

// Replaces the global library `name` by a shared table with its contents. `change` works on them.
void share_library(lua_State* lua, const char* name, void (*change)(lua_State*)) {
  lua_getfield(lua, LUA_GLOBALSINDEX, name);
  if (change != nullptr) change(lua);
  share_table(lua);
  lua_setfield(lua, LUA_GLOBALSINDEX, name);
}

// The library on top of the stack becomes a shared global.
void add_shared(lua_State* lua, const char* name) {
  share_table(lua);
  lua_setfield(lua, LUA_GLOBALSINDEX, name);
}

// A copy of the table on top of the stack takes its place below it: copy, table.
void push_copy_below(lua_State* lua) {
  lua_newtable(lua);
  lua_insert(lua, -2);
  lua_pushnil(lua);
  while (lua_next(lua, -2)) {
    lua_pushvalue(lua, -2);
    lua_insert(lua, -2);
    lua_rawset(lua, -5);
  }
}

void set_redis(lua_State* lua, RedisApi api, bool strict) {
  push_redis_library(lua, api);
  if (strict) forbid_unknown_names(lua);
  share_table(lua);
  lua_pushvalue(lua, -1);
  lua_setfield(lua, -3, "server");
  lua_setfield(lua, -2, "redis");
}

}  // namespace

int Interpreter::open_all(lua_State* lua) {
  auto& self = *static_cast<Interpreter*>(lua_touserdata(lua, 1));
  lua_settop(lua, 0);
  self.open_globals(lua);
  self.keep_for_runs(lua);
  self.running_ = self.lua_;
  lua_sethook(self.lua_, on_count, LUA_MASKCOUNT, kInstructionsBetweenLooks);
  return 0;
}

// The real globals become the contents of the shared globals of EVAL; a copy of them, with another
// table `redis`, those of functions; a library that is being loaded sees `redis` alone.
void Interpreter::open_globals(lua_State* lua) {
  luaL_checkstack(lua, 20, "no room for the libraries");
  // The list of free references exists from now on: giving one back takes no memory.
  lua_newtable(lua);
  luaL_unref(lua, LUA_REGISTRYINDEX, luaL_ref(lua, LUA_REGISTRYINDEX));
  open_library(lua, luaopen_base, "");
  open_library(lua, luaopen_table, LUA_TABLIBNAME);
  open_library(lua, luaopen_string, LUA_STRLIBNAME);
  open_library(lua, luaopen_math, LUA_MATHLIBNAME);
  lua_pushvalue(lua, LUA_GLOBALSINDEX);
  replace_base_functions(lua);
  lua_settop(lua, 0);

  // Methods of strings go to the contents; what getmetatable("") shows is a shared table.
  lua_getfield(lua, LUA_GLOBALSINDEX, LUA_STRLIBNAME);
  replace_string_functions(lua);
  lua_pushliteral(lua, "");
  lua_newtable(lua);
  lua_pushvalue(lua, 1);
  lua_setfield(lua, -2, "__index");
  lua_setmetatable(lua, -2);
  lua_settop(lua, 0);
  share_library(lua, LUA_STRLIBNAME, nullptr);
  lua_newtable(lua);
  lua_getfield(lua, LUA_GLOBALSINDEX, LUA_STRLIBNAME);
  lua_setfield(lua, -2, "__index");
  share_table(lua);
  string_metatable_ = luaL_ref(lua, LUA_REGISTRYINDEX);

  share_library(lua, LUA_TABLIBNAME, replace_table_functions);
  share_library(lua, LUA_MATHLIBNAME, replace_math_functions);
  share_library(lua, LUA_COLIBNAME, replace_coroutine_functions);
  push_bit_library(lua);
  add_shared(lua, "bit");
  push_struct_library(lua);
  add_shared(lua, "struct");
  push_cmsgpack_library(lua);
  add_shared(lua, "cmsgpack");
  push_os_library(lua);
  add_shared(lua, "os");
  push_cjson_library(lua);
  cjson_settings_ = &settings_of_cjson(lua);
  add_shared(lua, "cjson");
  share_globals(lua);
}

// What each run needs, so that it makes none of it anew.
void Interpreter::keep_for_runs(lua_State* lua) {
  lua_pushcfunction(lua, run_inside);
  run_inside_ = luaL_ref(lua, LUA_REGISTRYINDEX);
  lua_pushcfunction(lua, note_error_place);
  note_error_place_ = luaL_ref(lua, LUA_REGISTRYINDEX);
  lua_pushliteral(lua, "KEYS");
  keys_name_ = luaL_ref(lua, LUA_REGISTRYINDEX);
  lua_pushliteral(lua, "ARGV");
  argv_name_ = luaL_ref(lua, LUA_REGISTRYINDEX);
}

void Interpreter::share_globals(lua_State* lua) {
  lua_settop(lua, 0);
  lua_pushvalue(lua, LUA_GLOBALSINDEX);
  push_copy_below(lua);  // 1: functions' contents, 2: EVAL's contents

  set_redis(lua, RedisApi::eval, false);
  forbid_unknown_names(lua);
  lua_pushvalue(lua, 2);
  eval_globals_ = luaL_ref(lua, LUA_REGISTRYINDEX);
  share_table(lua);  // 1: functions' contents, 2: EVAL's globals
  lua_rawgeti(lua, LUA_REGISTRYINDEX, eval_globals_);
  lua_pushvalue(lua, 2);
  lua_setfield(lua, 3, "_G");
  lua_settop(lua, 2);
  lua_replace(lua, LUA_GLOBALSINDEX);

  set_redis(lua, RedisApi::function, false);
  forbid_unknown_names(lua);
  lua_pushvalue(lua, 1);
  function_contents_ = luaL_ref(lua, LUA_REGISTRYINDEX);
  share_table(lua);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, function_contents_);
  lua_pushvalue(lua, 1);
  lua_setfield(lua, 2, "_G");
  lua_settop(lua, 1);
  function_globals_ = luaL_ref(lua, LUA_REGISTRYINDEX);

  lua_newtable(lua);
  set_redis(lua, RedisApi::load, true);
  forbid_unknown_names(lua);
  load_contents_ = luaL_ref(lua, LUA_REGISTRYINDEX);

  lua_newtable(lua);
  lua_pushcfunction(lua, raise_nonexistent);
  lua_setfield(lua, -2, "__index");
  share_table(lua);
  globals_metatable_ = luaL_ref(lua, LUA_REGISTRYINDEX);
}

}  // namespace slotcar::scripting
