// coroutine: resume and wrap, which must not catch the order to stop. The others are Lua's own.
#include "scripting/interpreter.h"
#include "scripting/library/libraries.h"

namespace slotcar::scripting {
namespace {

// Moves `arguments` values to the coroutine, runs it and moves back what it gives. Returns how many
// values that are; -1: one value, the error.
int resumed(lua_State* lua, lua_State* coroutine, int arguments) {
  const int status = lua_status(coroutine);
  const bool never_ran = status == 0 && lua_gettop(coroutine) > 0;
  lua_Debug frame;
  const bool running = status == 0 && lua_getstack(coroutine, 0, &frame);
  if (!lua_checkstack(coroutine, arguments)) luaL_error(lua, "too many arguments to resume");
  if (coroutine == lua || running || (status != LUA_YIELD && !never_ran)) {
    const char* const state = coroutine == lua ? "running" : running ? "normal" : "dead";
    lua_pushfstring(lua, "cannot resume %s coroutine", state);
    return -1;
  }
  lua_xmove(lua, coroutine, arguments);
  lua_setlevel(lua, coroutine);  // The depth of C calls is counted through.
  Interpreter& interpreter = Interpreter::of(lua);
  lua_State* const before = interpreter.set_running(coroutine);
  const int ended = lua_resume(coroutine, arguments);
  interpreter.set_running(before);
  if (ended != 0 && ended != LUA_YIELD) {
    lua_xmove(coroutine, lua, 1);
    interpreter.raise_if_stopping(lua);
    return -1;
  }
  const int results = lua_gettop(coroutine);
  if (!lua_checkstack(lua, results + 1)) luaL_error(lua, "too many results to resume");
  lua_xmove(coroutine, lua, results);
  return results;
}

int resume(lua_State* lua) {
  lua_State* const coroutine = lua_tothread(lua, 1);
  luaL_argcheck(lua, coroutine != nullptr, 1, "coroutine expected");
  const int results = resumed(lua, coroutine, lua_gettop(lua) - 1);
  lua_pushboolean(lua, results >= 0);
  if (results < 0) {
    lua_insert(lua, -2);
    return 2;
  }
  lua_insert(lua, -(results + 1));
  return results + 1;
}

int resume_wrapped(lua_State* lua) {
  lua_State* const coroutine = lua_tothread(lua, lua_upvalueindex(1));
  const int results = resumed(lua, coroutine, lua_gettop(lua));
  if (results >= 0) return results;
  if (lua_isstring(lua, -1)) {
    luaL_where(lua, 1);
    lua_insert(lua, -2);
    lua_concat(lua, 2);
  }
  return lua_error(lua);
}

int wrap(lua_State* lua) {
  luaL_argcheck(lua, lua_isfunction(lua, 1) && !lua_iscfunction(lua, 1), 1,
                "Lua function expected");
  lua_State* const coroutine = lua_newthread(lua);
  lua_pushvalue(lua, 1);
  lua_xmove(lua, coroutine, 1);
  lua_pushcclosure(lua, resume_wrapped, 1);
  return 1;
}

constexpr luaL_Reg kFunctions[] = {{"resume", resume}, {"wrap", wrap}, {nullptr, nullptr}};

}  // namespace

void replace_coroutine_functions(lua_State* lua) {
  luaL_register(lua, nullptr, kFunctions);
}

}  // namespace slotcar::scripting
