#include "scripting/error_table.h"

#include "scripting/shared_table.h"

namespace slotcar::scripting {
namespace {

// Raw, so that no metamethod runs while an error is reported.
bool get_text(lua_State* lua, const char* name, std::string& out) {
  lua_pushstring(lua, name);
  lua_rawget(lua, -2);
  const bool is_text = lua_isstring(lua, -1);
  if (is_text) out = text_at(lua, -1);
  lua_pop(lua, 1);
  return is_text;
}

}  // namespace

void push_error_table(lua_State* lua, std::string_view text) {
  std::string whole = "ERR ";
  if (text.starts_with('-')) {
    text.remove_prefix(1);
    const std::size_t space = text.find(' ');
    if (space != std::string_view::npos) {
      whole = text.substr(0, space + 1);
      text.remove_prefix(space + 1);
    }
  }
  const auto is_line_end = [](char c) { return c == '\r' || c == '\n'; };
  while (!text.empty() && is_line_end(text.back())) text.remove_suffix(1);
  while (!text.empty() && is_line_end(text.front())) text.remove_prefix(1);
  whole += text;
  luaL_checkstack(lua, 3, "no room for an error");
  lua_newtable(lua);
  push(lua, whole);
  lua_setfield(lua, -2, "err");
}

int raise_error_table(lua_State* lua, std::string_view text) {
  push_error_table(lua, text);
  return lua_error(lua);
}

ErrorParts read_error_table(lua_State* lua) {
  ErrorParts parts;
  luaL_checkstack(lua, 3, "no room for an error");
  if (!get_text(lua, "err", parts.text)) parts.text = "ERR unknown error";
  get_text(lua, "source", parts.source);
  get_text(lua, "line", parts.line);
  lua_pushliteral(lua, "ignore_error_stats_update");
  lua_rawget(lua, -2);
  parts.counted = lua_isboolean(lua, -1) && lua_toboolean(lua, -1);
  lua_pop(lua, 1);
  return parts;
}

// Where an error of a C function happened is where it was called.
int note_error_place(lua_State* lua) {
  lua_Debug place;
  bool known = lua_getstack(lua, 1, &place) && lua_getinfo(lua, "Sl", &place);
  if (known && place.what[0] == 'C') {
    known = lua_getstack(lua, 2, &place) && lua_getinfo(lua, "Sl", &place);
  }
  luaL_checkstack(lua, 4, "no room for an error");
  if (is_shared(lua, 1)) {
    push_error_table(lua, "Attempt to modify a readonly table");
  } else if (lua_isstring(lua, 1)) {
    push_error_table(lua, text_at(lua, 1));
  } else if (lua_isboolean(lua, 1)) {
    push_error_table(lua, lua_toboolean(lua, 1) ? "true" : "false");
  } else if (!lua_istable(lua, 1)) {
    push_error_table(lua, luaL_typename(lua, 1));
  } else {
    lua_pushvalue(lua, 1);
  }
  lua_replace(lua, 1);
  lua_settop(lua, 1);
  if (!known) return 1;
  lua_pushliteral(lua, "source");
  lua_pushstring(lua, place.source);
  lua_rawset(lua, 1);
  lua_pushliteral(lua, "line");
  lua_pushinteger(lua, place.currentline);
  lua_rawset(lua, 1);
  return 1;
}

}  // namespace slotcar::scripting
