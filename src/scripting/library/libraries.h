// The libraries that scripts see. Each function puts one library's table on the stack, or changes
// the table of Lua's own library that is there. Written here, and not Debian's, where Debian's
// crash, are missing, or cannot be interrupted.
#pragma once

#include "scripting/lua.h"

namespace slotcar::scripting {

void push_bit_library(lua_State* lua);
void push_struct_library(lua_State* lua);
void push_cmsgpack_library(lua_State* lua);
void push_cjson_library(lua_State* lua);
// Sets cjson's settings back to their defaults: what a script sets does not outlive it. `index`
// holds the library's contents.
void reset_cjson_settings(lua_State* lua, int index);

// On Lua's own libraries, on top of the stack.
void replace_base_functions(lua_State* lua);
void replace_coroutine_functions(lua_State* lua);
void replace_string_functions(lua_State* lua);
void replace_table_functions(lua_State* lua);
void replace_math_functions(lua_State* lua);

void push_os_library(lua_State* lua);
// The table `redis`, as EVAL, a function of a library, and a library that is being loaded see it.
enum class RedisApi { eval, function, load };
void push_redis_library(lua_State* lua, RedisApi api);

}  // namespace slotcar::scripting
