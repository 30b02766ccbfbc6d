// cjson: the table and its settings, as of lua-cjson 2.1.
#include <new>

#include "scripting/library/cjson_settings.h"
#include "scripting/library/libraries.h"

namespace slotcar::scripting {
namespace {

constexpr const char* kOffOn[] = {"off", "on", nullptr};
constexpr const char* kOffOnNull[] = {"off", "on", "null", nullptr};

void check_count(lua_State* lua, int count) {
  luaL_argcheck(lua, lua_gettop(lua) <= count, count + 1, "found too many arguments");
  lua_settop(lua, count);
}

int integer_setting(lua_State* lua, int argument, int& setting, int least, int most) {
  if (!lua_isnil(lua, argument)) {
    const lua_Integer value = luaL_checkinteger(lua, argument);
    if (value < least || value > most) {
      luaL_argerror(lua, 1,
                    lua_pushfstring(lua, "expected integer between %d and %d", least, most));
    }
    setting = static_cast<int>(value);
  }
  lua_pushinteger(lua, setting);
  return 1;
}

int named_setting(lua_State* lua, int argument, int& setting, const char* const names[]) {
  if (!lua_isnil(lua, argument)) {
    setting = lua_isboolean(lua, argument) ? lua_toboolean(lua, argument)
                                           : luaL_checkoption(lua, argument, nullptr, names);
  }
  if (setting <= 1) {
    lua_pushboolean(lua, setting);
  } else {
    lua_pushstring(lua, names[setting]);
  }
  return 1;
}

int encode_sparse_array(lua_State* lua) {
  check_count(lua, 3);
  CjsonSettings& settings = cjson_settings(lua);
  named_setting(lua, 1, settings.sparse_convert, kOffOn);
  integer_setting(lua, 2, settings.sparse_ratio, 0, INT_MAX);
  integer_setting(lua, 3, settings.sparse_safe, 0, INT_MAX);
  return 3;
}

int encode_max_depth(lua_State* lua) {
  check_count(lua, 1);
  return integer_setting(lua, 1, cjson_settings(lua).encode_depth_max, 1, INT_MAX);
}

int decode_max_depth(lua_State* lua) {
  check_count(lua, 1);
  return integer_setting(lua, 1, cjson_settings(lua).decode_depth_max, 1, INT_MAX);
}

int encode_number_precision(lua_State* lua) {
  check_count(lua, 1);
  return integer_setting(lua, 1, cjson_settings(lua).number_precision, 1, 14);
}

// Accepted and remembered; there is no buffer to keep.
int encode_keep_buffer(lua_State* lua) {
  check_count(lua, 1);
  return named_setting(lua, 1, cjson_settings(lua).encode_keep_buffer, kOffOn);
}

int encode_invalid_numbers(lua_State* lua) {
  check_count(lua, 1);
  return named_setting(lua, 1, cjson_settings(lua).encode_invalid_numbers, kOffOnNull);
}

int decode_invalid_numbers(lua_State* lua) {
  check_count(lua, 1);
  return named_setting(lua, 1, cjson_settings(lua).decode_invalid_numbers, kOffOn);
}

int make_new(lua_State* lua) {
  push_cjson_library(lua);
  return 1;
}

constexpr luaL_Reg kFunctions[] = {{"encode", cjson_encode},
                                   {"decode", cjson_decode},
                                   {"encode_sparse_array", encode_sparse_array},
                                   {"encode_max_depth", encode_max_depth},
                                   {"decode_max_depth", decode_max_depth},
                                   {"encode_number_precision", encode_number_precision},
                                   {"encode_keep_buffer", encode_keep_buffer},
                                   {"encode_invalid_numbers", encode_invalid_numbers},
                                   {"decode_invalid_numbers", decode_invalid_numbers},
                                   {"new", make_new},
                                   {nullptr, nullptr}};

}  // namespace

// The settings have no finalizer: nothing of a script runs when they are collected.
void push_cjson_library(lua_State* lua) {
  luaL_checkstack(lua, 4, "no room for cjson");
  lua_newtable(lua);
  new (lua_newuserdata(lua, sizeof(CjsonSettings))) CjsonSettings;
  for (const luaL_Reg* function = kFunctions; function->name != nullptr; ++function) {
    lua_pushvalue(lua, -1);
    lua_pushcclosure(lua, function->func, 1);
    lua_setfield(lua, -3, function->name);
  }
  lua_pop(lua, 1);
  lua_pushlightuserdata(lua, nullptr);
  lua_setfield(lua, -2, "null");
  lua_pushliteral(lua, "cjson");
  lua_setfield(lua, -2, "_NAME");
  lua_pushliteral(lua, "2.1.0");
  lua_setfield(lua, -2, "_VERSION");
}

CjsonSettings& settings_of_cjson(lua_State* lua) {
  lua_getfield(lua, -1, "encode");
  lua_getupvalue(lua, -1, 1);
  auto& settings = *static_cast<CjsonSettings*>(lua_touserdata(lua, -1));
  lua_pop(lua, 2);
  return settings;
}

}  // namespace slotcar::scripting
