// redis.register_function: how a library, while it is loaded, names its functions.
#pragma once

#include "scripting/lua.h"

namespace slotcar::scripting {

// register_function(name, callback), or with one table: function_name, callback, flags,
// description.
int register_function(lua_State* lua);

}  // namespace slotcar::scripting
