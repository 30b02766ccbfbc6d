#include "scripting/reply_to_lua.h"

#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/assert.h"
#include "scripting/error_table.h"
#include "scripting/interpreter.h"

namespace slotcar::scripting {
namespace {

class ReplyReader {
 public:
  ReplyReader(lua_State* lua, std::string_view reply) : lua_(lua), left_(reply) {}

  void push_value() {
    // Every C function has room for what is not nested.
    if (depth_ > 0) luaL_checkstack(lua_, 6, "too deep a reply");
    ASSERT(!left_.empty());
    const char type = left_[0];
    switch (type) {
      case '+':
        return push_single("ok", take_line());
      case '-':
        return push_failure(take_line());
      case ':':
        return lua_pushnumber(lua_, static_cast<double>(take_number()));
      case '$':
        return push_bulk(take_number());
      case '*':
      case '>':
        return push_array(take_number());
      case '%':
        return push_map(take_number());
      case '~':
        return push_set(take_number());
      case '_':
        take_line();
        return lua_pushnil(lua_);
      case '#':
        return lua_pushboolean(lua_, take_line() == "t");
      case ',':
        return push_double(take_line());
      case '(':
        return push_single("big_number", take_line());
      case '=':
        return push_verbatim(take_bytes(take_number()));
      case '|':  // attributes of the value behind them, which scripts do not see
        for (std::int64_t left = 2 * take_number(); left > 0; --left) {
          push_nested();
          lua_pop(lua_, 1);
        }
        return push_value();
      default:
        ASSERT(false);
    }
  }

 private:
  // A line without the letter of its type.
  std::string_view take_line() {
    const std::size_t end = left_.find("\r\n");
    ASSERT(end != std::string_view::npos && end > 0);
    const std::string_view line = left_.substr(1, end - 1);
    left_.remove_prefix(end + 2);
    return line;
  }
  // Of a line that is a number. What we write has neither spaces nor a plus.
  std::int64_t take_number() {
    const bool negative = left_.size() > 1 && left_[1] == '-';
    std::size_t at = negative ? 2 : 1;
    std::uint64_t value = 0;
    for (; at < left_.size() && left_[at] != '\r'; ++at) {
      const auto digit = static_cast<unsigned>(left_[at] - '0');
      ASSERT(digit <= 9);
      value = value * 10 + digit;
    }
    ASSERT(at + 2 <= left_.size());
    left_.remove_prefix(at + 2);
    return static_cast<std::int64_t>(negative ? 0 - value : value);
  }
  std::string_view take_bytes(std::int64_t count) {
    const auto size = static_cast<std::size_t>(count);
    ASSERT(count >= 0 && size + 2 <= left_.size());
    const std::string_view bytes = left_.substr(0, size);
    left_.remove_prefix(size + 2);
    return bytes;
  }

  void push_single(const char* field, std::string_view text) {
    lua_createtable(lua_, 0, 1);
    push(lua_, text);
    lua_setfield(lua_, -2, field);
  }
  // The command has counted its error; the script's failure by it is not another one.
  void push_failure(std::string_view line) {
    push_error_table(lua_, {line.data() - 1, line.size() + 1});  // with its letter
    lua_pushboolean(lua_, 1);
    lua_setfield(lua_, -2, "ignore_error_stats_update");
  }
  void push_bulk(std::int64_t size) {
    if (size == -1) return lua_pushboolean(lua_, 0);
    push(lua_, take_bytes(size));
  }
  // What commands answer is nested a few levels deep, whatever a script does.
  void push_nested() {
    ++depth_;
    push_value();
    --depth_;
  }
  // Lua hashes only some bytes of a long string, so strings that are alike cost it long searches.
  // Therefore it looks between elements whether to stop.
  void push_element() {
    push_nested();
    Interpreter::of(lua_).count_bytes(lua_, kBytesPerElement);
  }
  void push_array(std::int64_t count) {
    if (count == -1) return lua_pushboolean(lua_, 0);
    lua_createtable(lua_, static_cast<int>(count), 0);
    for (std::int64_t i = 1; i <= count; ++i) {
      push_element();
      lua_rawseti(lua_, -2, static_cast<int>(i));
    }
  }
  void push_map(std::int64_t size) {
    lua_createtable(lua_, 0, 1);
    lua_newtable(lua_);
    for (std::int64_t left = size; left > 0; --left) {
      push_element();
      push_nested();
      lua_rawset(lua_, -3);
    }
    lua_setfield(lua_, -2, "map");
  }
  void push_set(std::int64_t size) {
    lua_createtable(lua_, 0, 1);
    lua_newtable(lua_);
    for (std::int64_t left = size; left > 0; --left) {
      push_element();
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

  static constexpr std::size_t kBytesPerElement = 1024;

  lua_State* lua_;
  std::string_view left_;
  int depth_ = 0;
};

}  // namespace

void push_reply(lua_State* lua, std::string_view reply) {
  ReplyReader(lua, reply).push_value();
}

}  // namespace slotcar::scripting
