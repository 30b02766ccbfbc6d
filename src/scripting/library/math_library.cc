// math.random and math.randomseed: Redis's generator, the one of lrand48. A seed holds for the
// script that sets it. And os.clock.
#include <cmath>
#include <cstdint>
#include <ctime>
#include <limits>

#include "scripting/interpreter.h"
#include "scripting/library/libraries.h"

namespace slotcar::scripting {
namespace {

int random(lua_State* lua) {
  constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();
  const double part = static_cast<double>(Interpreter::of(lua).next_random() % kMax) / kMax;
  switch (lua_gettop(lua)) {
    case 0:
      lua_pushnumber(lua, part);
      return 1;
    case 1: {
      const int most = luaL_checkint(lua, 1);
      luaL_argcheck(lua, most >= 1, 1, "interval is empty");
      lua_pushnumber(lua, std::floor(part * most) + 1);
      return 1;
    }
    case 2: {
      const int least = luaL_checkint(lua, 1);
      const int most = luaL_checkint(lua, 2);
      luaL_argcheck(lua, least <= most, 2, "interval is empty");
      const double width = static_cast<double>(most) - least + 1;
      lua_pushnumber(lua, std::floor(part * width) + least);
      return 1;
    }
    default:
      return luaL_error(lua, "wrong number of arguments");
  }
}

int randomseed(lua_State* lua) {
  Interpreter::of(lua).seed_random(static_cast<std::uint32_t>(luaL_checkint(lua, 1)));
  return 0;
}

constexpr luaL_Reg kFunctions[] = {
    {"random", random}, {"randomseed", randomseed}, {nullptr, nullptr}};

int clock(lua_State* lua) {
  lua_pushnumber(lua, static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
  return 1;
}

}  // namespace

void replace_math_functions(lua_State* lua) {
  luaL_register(lua, nullptr, kFunctions);
}

void push_os_library(lua_State* lua) {
  lua_newtable(lua);
  lua_pushcfunction(lua, clock);
  lua_setfield(lua, -2, "clock");
}

}  // namespace slotcar::scripting
