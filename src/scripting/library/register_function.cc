#include "scripting/library/register_function.h"

#include <string>
#include <string_view>

#include "scripting/error_table.h"
#include "scripting/interpreter.h"

namespace slotcar::scripting {
namespace {

// Leaves the callback on the stack, at index 2.
void read_positional(lua_State* lua, Function& function) {
  if (!lua_isstring(lua, 1)) {
    raise_error_table(lua, "first argument to redis.register_function must be a string");
  }
  function.name = text_at(lua, 1);
  if (!lua_isfunction(lua, 2)) {
    raise_error_table(lua, "second argument to redis.register_function must be a function");
  }
}

// The list of flags on top of the stack.
void read_flags(lua_State* lua, ScriptFlags& flags) {
  if (!lua_istable(lua, -1)) {
    raise_error_table(
        lua,
        "flags argument to redis.register_function must be a table representing function flags");
  }
  for (int i = 1;; ++i) {
    lua_rawgeti(lua, -1, i);
    if (lua_isnil(lua, -1)) break;
    const auto flag =
        lua_type(lua, -1) == LUA_TSTRING ? script_flag(text_at(lua, -1)) : std::nullopt;
    if (!flag) raise_error_table(lua, "unknown flag given");
    flags.add(*flag);
    lua_pop(lua, 1);
  }
  lua_pop(lua, 1);
}

// One field of the table; its value is on top of the stack, its key below. The callback is kept at
// index 2.
void read_named(lua_State* lua, Function& function) {
  if (lua_type(lua, -2) != LUA_TSTRING) {
    raise_error_table(lua, "unknown argument given to redis.register_function");
  }
  const std::string_view key = text_at(lua, -2);
  if (key == "function_name") {
    if (!lua_isstring(lua, -1)) {
      raise_error_table(lua,
                        "function_name argument given to redis.register_function must be a string");
    }
    lua_pushvalue(lua, -1);
    function.name = text_at(lua, -1);
    lua_pop(lua, 1);
  } else if (key == "description") {
    if (!lua_isstring(lua, -1)) {
      raise_error_table(lua,
                        "description argument given to redis.register_function must be a string");
    }
    lua_pushvalue(lua, -1);
    function.description = text_at(lua, -1);
    function.has_description = true;
    lua_pop(lua, 1);
  } else if (key == "callback") {
    if (!lua_isfunction(lua, -1)) {
      raise_error_table(lua,
                        "callback argument given to redis.register_function must be a function");
    }
    lua_pushvalue(lua, -1);
    lua_replace(lua, 2);
  } else if (key == "flags") {
    read_flags(lua, function.flags);
  } else {
    raise_error_table(lua, "unknown argument given to redis.register_function");
  }
}

void read_table(lua_State* lua, Function& function) {
  if (!lua_istable(lua, 1)) {
    raise_error_table(lua,
                      "calling redis.register_function with a single argument is only applicable "
                      "to Lua table (representing named arguments).");
  }
  lua_settop(lua, 1);
  lua_pushnil(lua);  // the callback's place
  lua_pushnil(lua);
  while (lua_next(lua, 1)) {
    read_named(lua, function);
    lua_pop(lua, 1);
  }
  if (function.name.empty()) {
    raise_error_table(lua, "redis.register_function must get a function name argument");
  }
  if (lua_isnil(lua, 2)) {
    raise_error_table(lua, "redis.register_function must get a callback argument");
  }
}

}  // namespace

int register_function(lua_State* lua) {
  Library* const library = Interpreter::of(lua).loading();
  if (library == nullptr) {
    return raise_error_table(lua,
                             "redis.register_function can only be called on FUNCTION LOAD command");
  }
  luaL_checkstack(lua, 6, "no room to register a function");
  Function function;
  switch (lua_gettop(lua)) {
    case 1:
      read_table(lua, function);
      break;
    case 2:
      read_positional(lua, function);
      break;
    default:
      return raise_error_table(lua, "wrong number of arguments to redis.register_function");
  }
  if (!is_function_name(function.name)) {
    return raise_error_table(lua,
                             "Library names can only contain letters, numbers, or underscores(_) "
                             "and must be at least one character long");
  }
  for (const Function& other : library->functions) {
    if (other.name == function.name) {
      return raise_error_table(lua, "Function already exists in the library");
    }
  }
  lua_pushvalue(lua, 2);
  function.reference = luaL_ref(lua, LUA_REGISTRYINDEX);
  library->functions.push_back(std::move(function));
  return 0;
}

}  // namespace slotcar::scripting
