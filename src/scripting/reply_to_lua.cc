#include "scripting/reply_to_lua.h"

#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/assert.h"
#include "base/numbers.h"
#include "scripting/error_table.h"

namespace slotcar::scripting {
namespace {

class ReplyReader {
 public:
  ReplyReader(lua_State* lua, std::string_view reply) : lua_(lua), left_(reply) {}

  void push_value() {
    luaL_checkstack(lua_, 6, "too deep a reply");
    const std::string_view line = take_line();
    const char type = line[0];
    const std::string_view rest = line.substr(1);
    switch (type) {
      case '+':
        return push_single("ok", rest);
      case '-':
        return push_failure(line);
      case ':':
        return lua_pushnumber(lua_, static_cast<double>(number(rest)));
      case '$':
        return push_bulk(rest);
      case '*':
      case '>':
        return push_array(rest);
      case '%':
        return push_map(rest);
      case '~':
        return push_set(rest);
      case '_':
        return lua_pushnil(lua_);
      case '#':
        return lua_pushboolean(lua_, rest == "t");
      case ',':
        return push_double(rest);
      case '(':
        return push_single("big_number", rest);
      case '=':
        return push_verbatim(take_bytes(number(rest)));
      case '|':  // attributes of the value behind them, which scripts do not see
        for (std::int64_t left = 2 * number(rest); left > 0; --left) {
          push_value();
          lua_pop(lua_, 1);
        }
        return push_value();
      default:
        ASSERT(false);
    }
  }

 private:
  std::string_view take_line() {
    const std::size_t end = left_.find("\r\n");
    ASSERT(end != std::string_view::npos && end > 0);
    const std::string_view line = left_.substr(0, end);
    left_.remove_prefix(end + 2);
    return line;
  }
  std::string_view take_bytes(std::int64_t count) {
    const auto size = static_cast<std::size_t>(count);
    ASSERT(count >= 0 && size + 2 <= left_.size());
    const std::string_view bytes = left_.substr(0, size);
    left_.remove_prefix(size + 2);
    return bytes;
  }
  static std::int64_t number(std::string_view text) {
    const auto value = base::parse_int64(text);
    ASSERT(value.has_value());
    return *value;
  }

  void push_single(const char* field, std::string_view text) {
    lua_createtable(lua_, 0, 1);
    push(lua_, text);
    lua_setfield(lua_, -2, field);
  }
  // The command has counted its error; the script's failure by it is not another one.
  void push_failure(std::string_view line) {
    push_error_table(lua_, line);
    lua_pushboolean(lua_, 1);
    lua_setfield(lua_, -2, "ignore_error_stats_update");
  }
  void push_bulk(std::string_view size) {
    if (size == "-1") return lua_pushboolean(lua_, 0);
    push(lua_, take_bytes(number(size)));
  }
  void push_array(std::string_view size) {
    if (size == "-1") return lua_pushboolean(lua_, 0);
    const std::int64_t count = number(size);
    lua_createtable(lua_, static_cast<int>(count), 0);
    for (std::int64_t i = 1; i <= count; ++i) {
      push_value();
      lua_rawseti(lua_, -2, static_cast<int>(i));
    }
  }
  void push_map(std::string_view size) {
    lua_createtable(lua_, 0, 1);
    lua_newtable(lua_);
    for (std::int64_t left = number(size); left > 0; --left) {
      push_value();
      push_value();
      lua_rawset(lua_, -3);
    }
    lua_setfield(lua_, -2, "map");
  }
  void push_set(std::string_view size) {
    lua_createtable(lua_, 0, 1);
    lua_newtable(lua_);
    for (std::int64_t left = number(size); left > 0; --left) {
      push_value();
      lua_pushboolean(lua_, 1);
      lua_rawset(lua_, -3);
    }
    lua_setfield(lua_, -2, "set");
  }
  void push_double(std::string_view text) {
    lua_createtable(lua_, 0, 1);
    lua_pushnumber(lua_, std::strtod(std::string(text).c_str(), nullptr));
    lua_setfield(lua_, -2, "double");
  }
  void push_verbatim(std::string_view text) {
    ASSERT(text.size() >= 4);
    lua_createtable(lua_, 0, 1);
    lua_createtable(lua_, 0, 2);
    push(lua_, text.substr(4));
    lua_setfield(lua_, -2, "string");
    push(lua_, text.substr(0, 3));
    lua_setfield(lua_, -2, "format");
    lua_setfield(lua_, -2, "verbatim_string");
  }

  lua_State* lua_;
  std::string_view left_;
};

}  // namespace

void push_reply(lua_State* lua, std::string_view reply) {
  ReplyReader(lua, reply).push_value();
}

}  // namespace slotcar::scripting
