// string: the functions with patterns, and those that work through a whole string. The others are
// Lua's own.
#include <cctype>
#include <cstring>
#include <string_view>

#include "scripting/bounded_text.h"
#include "scripting/library/libraries.h"
#include "scripting/pattern.h"

namespace slotcar::scripting {
namespace {

// Where a search starts: from 1, negative from the end, cut to the text.
std::size_t start_of(lua_State* lua, int argument, std::size_t size) {
  lua_Integer start = luaL_optinteger(lua, argument, 1);
  if (start < 0) start += static_cast<lua_Integer>(size) + 1;
  if (start < 1) return 0;
  return std::min(static_cast<std::size_t>(start) - 1, size);
}

int find_plain(lua_State* lua, std::string_view subject, std::string_view text, std::size_t start) {
  Interpreter::of(lua).count_bytes(lua, subject.size() - start);
  const std::size_t found = subject.find(text, start);
  if (found == std::string_view::npos) {
    lua_pushnil(lua);
    return 1;
  }
  lua_pushinteger(lua, static_cast<lua_Integer>(found + 1));
  lua_pushinteger(lua, static_cast<lua_Integer>(found + text.size()));
  return 2;
}

int search(lua_State* lua, bool find) {
  const std::string_view subject = checked_text(lua, 1);
  std::string_view pattern = checked_text(lua, 2);
  const std::size_t start = start_of(lua, 3, subject.size());
  if (find && (lua_toboolean(lua, 4) || std::strpbrk(pattern.data(), "^$*+?.([%-") == nullptr)) {
    return find_plain(lua, subject, pattern, start);
  }
  const bool anchored = pattern.starts_with('^');
  if (anchored) pattern.remove_prefix(1);
  PatternMatch match(lua, subject, pattern);
  const char* from = subject.data() + start;
  do {
    if (const char* const end = match.match_at(from)) {
      if (!find) return match.push_captures(from, end);
      lua_pushinteger(lua, from - subject.data() + 1);
      lua_pushinteger(lua, end - subject.data());
      return match.push_captures(nullptr, nullptr) + 2;
    }
  } while (from++ < match.subject_end() && !anchored);
  lua_pushnil(lua);
  return 1;
}

int find(lua_State* lua) {
  return search(lua, true);
}

int match(lua_State* lua) {
  return search(lua, false);
}

// Upvalues: subject, pattern, where to go on.
int gmatch_next(lua_State* lua) {
  const std::string_view subject = text_at(lua, lua_upvalueindex(1));
  PatternMatch match(lua, subject, text_at(lua, lua_upvalueindex(2)));
  const char* from = subject.data() + lua_tointeger(lua, lua_upvalueindex(3));
  for (; from <= match.subject_end(); ++from) {
    const char* const end = match.match_at(from);
    if (end == nullptr) continue;
    const std::ptrdiff_t next = end - subject.data() + (end == from ? 1 : 0);
    lua_pushinteger(lua, next);
    lua_replace(lua, lua_upvalueindex(3));
    return match.push_captures(from, end);
  }
  return 0;
}

int gmatch(lua_State* lua) {
  checked_text(lua, 1);
  checked_text(lua, 2);
  lua_settop(lua, 2);
  lua_pushinteger(lua, 0);
  lua_pushcclosure(lua, gmatch_next, 3);
  return 1;
}

// %0 to %9 in the text that replaces a match.
void append_expanded(lua_State* lua, BoundedText& out, PatternMatch& match, const char* from,
                     const char* end) {
  const std::string_view text = text_at(lua, 3);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out.append(text[i]);
      continue;
    }
    const char c = ++i < text.size() ? text[i] : '\0';
    if (c < '0' || c > '9') {
      out.append(c);
    } else if (c == '0') {
      out.append({from, static_cast<std::size_t>(end - from)});
    } else {
      match.push_capture(c - '1', from, end);
      out.append(text_at(lua, -1));
      lua_pop(lua, 1);
    }
  }
}

void append_replacement(lua_State* lua, BoundedText& out, PatternMatch& match, const char* from,
                        const char* end) {
  const int type = lua_type(lua, 3);
  if (type == LUA_TNUMBER || type == LUA_TSTRING) {
    return append_expanded(lua, out, match, from, end);
  }
  if (type == LUA_TFUNCTION) {
    lua_pushvalue(lua, 3);
    lua_call(lua, match.push_captures(from, end), 1);
  } else {
    match.push_capture(0, from, end);
    lua_gettable(lua, 3);
  }
  if (!lua_toboolean(lua, -1)) {
    out.append({from, static_cast<std::size_t>(end - from)});
  } else if (!lua_isstring(lua, -1)) {
    luaL_error(lua, "invalid replacement value (a %s)", luaL_typename(lua, -1));
  } else {
    out.append(text_at(lua, -1));
  }
  lua_pop(lua, 1);
}

int gsub(lua_State* lua) {
  const std::string_view subject = checked_text(lua, 1);
  std::string_view pattern = checked_text(lua, 2);
  const int type = lua_type(lua, 3);
  const lua_Integer most = luaL_optinteger(lua, 4, static_cast<lua_Integer>(subject.size() + 1));
  luaL_argcheck(
      lua,
      type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE, 3,
      "string/function/table expected");
  const bool anchored = pattern.starts_with('^');
  if (anchored) pattern.remove_prefix(1);
  PatternMatch match(lua, subject, pattern);
  BoundedText out(lua);
  const char* from = subject.data();
  lua_Integer count = 0;
  while (count < most) {
    const char* const end = match.match_at(from);
    if (end != nullptr) {
      ++count;
      append_replacement(lua, out, match, from, end);
    }
    if (end != nullptr && end > from) {
      from = end;
    } else if (from < match.subject_end()) {
      out.append(*from++);
    } else {
      break;
    }
    if (anchored) break;
  }
  out.append({from, static_cast<std::size_t>(match.subject_end() - from)});
  out.push();
  lua_pushinteger(lua, count);
  return 2;
}

int rep(lua_State* lua) {
  const std::string_view text = checked_text(lua, 1);
  const lua_Integer count = luaL_checkinteger(lua, 2);
  BoundedText out(lua);
  if (text.size() == 1 && count > 0) {
    out.append(static_cast<std::size_t>(count), text[0]);
  } else if (!text.empty()) {
    for (lua_Integer i = 0; i < count; ++i) out.append(text);
  }
  out.push();
  return 1;
}

// As Lua's own, but counted: they work through the whole string.
template <int (*kChange)(int)>
int changed(lua_State* lua) {
  const std::string_view text = checked_text(lua, 1);
  BoundedText out(lua);
  for (const char byte : text) {
    out.append(static_cast<char>(kChange(static_cast<unsigned char>(byte))));
  }
  out.push();
  return 1;
}

int reverse(lua_State* lua) {
  const std::string_view text = checked_text(lua, 1);
  BoundedText out(lua);
  for (std::size_t i = text.size(); i > 0; --i) out.append(text[i - 1]);
  out.push();
  return 1;
}

constexpr luaL_Reg kFunctions[] = {{"find", find},
                                   {"match", match},
                                   {"gmatch", gmatch},
                                   {"gfind", gmatch},
                                   {"gsub", gsub},
                                   {"rep", rep},
                                   {"upper", changed<std::toupper>},
                                   {"lower", changed<std::tolower>},
                                   {"reverse", reverse},
                                   {nullptr, nullptr}};

}  // namespace

void replace_string_functions(lua_State* lua) {
  luaL_register(lua, nullptr, kFunctions);
  lua_pushnil(lua);
  lua_setfield(lua, -2, "dump");  // There is nothing that could load bytecode.
}

}  // namespace slotcar::scripting
