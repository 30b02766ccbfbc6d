// The libraries that scripts see. Each function puts one library's table on the stack, or changes
// the table of Lua's own library that is there. Written here, and not Debian's, where Debian's
// crash, are missing, or cannot be interrupted.
#pragma once

#include "scripting/lua.h"

namespace slotcar::scripting {

struct CjsonSettings;

void push_bit_library(lua_State* lua);
void push_struct_library(lua_State* lua);
void push_cmsgpack_library(lua_State* lua);
void push_cjson_library(lua_State* lua);
// The settings of the cjson library on top of the stack, whose functions keep them: a run of a
// script begins with the defaults.
CjsonSettings& settings_of_cjson(lua_State* lua);

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
