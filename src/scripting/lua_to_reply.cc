#include "scripting/lua_to_reply.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "scripting/error_table.h"
#include "scripting/interpreter.h"

namespace slotcar::scripting {
namespace {

std::int64_t whole(double number) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63; what is beyond it answers as in Redis
  if (!(number >= -kLimit && number < kLimit)) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(number);
}

// A line of a reply has no line ends; ReplyWriter sees to that only for errors and statuses.
std::string without_line_ends(std::string_view text) {
  std::string one_line(text);
  for (char& c : one_line) c = c == '\r' || c == '\n' ? ' ' : c;
  return one_line;
}

// Writes without recursion: a script can nest tables until Lua's stack is full, which is deeper
// than the C++ stack can be trusted to be.
class ReplyFromLua {
 public:
  ReplyFromLua(lua_State* lua, resp::ReplyWriter& reply, resp::Protocol script_protocol)
      : lua_(lua), reply_(reply), script_protocol_(script_protocol) {}

  // Pops the value.
  void write() {
    value();
    while (!open_.empty()) next();
  }
  bool error_counted() const { return error_counted_; }

 private:
  enum class Kind : std::uint8_t { array, map, set };
  // A table whose elements are being written. It is on top of Lua's stack, and in a map or a set
  // the last key is above it.
  struct Open {
    Kind kind;
    bool at_value = false;  // of a map: a key was written, its value is on the stack
    int written = 0;        // of an array
    int size = 0;
  };

  // Pops the value on top, or leaves it there as an open table.
  void value() {
    // As many places as in Redis, so that a reply is cut at the same depth; no more than these are
    // used until the next look.
    if (!open_.empty() && !lua_checkstack(lua_, 4)) {
      reply_.error("ERR reached lua stack limit");
      return lua_pop(lua_, 1);
    }
    count();
    if (lua_type(lua_, -1) == LUA_TTABLE) return table();
    plain();
    lua_pop(lua_, 1);
  }

  void next() {
    Open& open = open_.back();
    switch (open.kind) {
      case Kind::array:
        if (open.written == open.size) return close(1);
        lua_rawgeti(lua_, -1, ++open.written);
        return value();
      case Kind::map:
        if (open.at_value) {
          open.at_value = false;
          return value();
        }
        if (!lua_next(lua_, -2)) return close(2);
        open.at_value = true;
        lua_pushvalue(lua_, -2);
        return value();
      case Kind::set:
        if (!lua_next(lua_, -2)) return close(2);
        lua_pop(lua_, 1);
        lua_pushvalue(lua_, -1);
        return value();
    }
  }
  // Maps and sets are fields of another table, which goes with them.
  void close(int tables) {
    open_.pop_back();
    lua_pop(lua_, tables);
  }

  // A table that holds itself twice would be answered for ever.
  void count() {
    constexpr std::uint64_t kValuesBetweenLooks = 1 << 16;
    if (++values_ % kValuesBetweenLooks == 0) Interpreter::of(lua_).look_whether_to_stop(lua_);
    if (values_ > limits::kScriptReplyValuesMax) luaL_error(lua_, "the reply is too long");
  }

  void plain() {
    switch (lua_type(lua_, -1)) {
      case LUA_TSTRING:
        return reply_.bulk(text_at(lua_, -1));
      case LUA_TBOOLEAN:
        return boolean(lua_toboolean(lua_, -1) != 0);
      case LUA_TNUMBER:
        return reply_.integer(whole(lua_tonumber(lua_, -1)));
      default:
        return reply_.null();
    }
  }

  void boolean(bool truth) {
    if (script_protocol_ == resp::Protocol::resp3) return reply_.boolean(truth);
    truth ? reply_.integer(1) : reply_.null();
  }

  // Pushes a field if it has that type.
  bool field(const char* name, int type) {
    lua_pushstring(lua_, name);
    lua_rawget(lua_, -2);
    if (lua_type(lua_, -1) == type) return true;
    lua_pop(lua_, 1);
    return false;
  }

  void table() {
    if (field("err", LUA_TSTRING)) {
      lua_pop(lua_, 1);
      error();
    } else if (field("ok", LUA_TSTRING)) {
      reply_.simple(lua_tostring(lua_, -1));  // up to a zero byte, as in Redis
      lua_pop(lua_, 1);
    } else if (field("double", LUA_TNUMBER)) {
      reply_.real(lua_tonumber(lua_, -1));
      lua_pop(lua_, 1);
    } else if (field("big_number", LUA_TSTRING)) {
      reply_.big_number(without_line_ends(text_at(lua_, -1)));
      lua_pop(lua_, 1);
    } else if (!verbatim()) {
      return collection();
    }
    lua_pop(lua_, 1);
  }

  void error() {
    const ErrorParts parts = read_error_table(lua_);
    error_counted_ = parts.counted;
    std::string_view text = parts.text;
    while (text.ends_with('\r') || text.ends_with('\n')) text.remove_suffix(1);
    reply_.error(text);
  }

  bool verbatim() {
    if (!field("verbatim_string", LUA_TTABLE)) return false;
    bool answered = false;
    if (field("format", LUA_TSTRING)) {
      std::string format(lua_tostring(lua_, -1));
      lua_pop(lua_, 1);
      if (field("string", LUA_TSTRING)) {
        format.resize(3, ' ');
        reply_.verbatim(text_at(lua_, -1), format);
        lua_pop(lua_, 1);
        answered = true;
      }
    }
    lua_pop(lua_, 1);
    return answered;
  }

  void collection() {
    if (field("map", LUA_TTABLE)) {
      reply_.map(pairs());
      open_.push_back({.kind = Kind::map});
      lua_pushnil(lua_);
    } else if (field("set", LUA_TTABLE)) {
      reply_.set(pairs());
      open_.push_back({.kind = Kind::set});
      lua_pushnil(lua_);
    } else {
      const int size = elements();
      reply_.array(static_cast<std::size_t>(size));
      open_.push_back({.kind = Kind::array, .size = size});
    }
  }

  std::size_t pairs() {
    std::size_t count = 0;
    lua_pushnil(lua_);
    while (lua_next(lua_, -2)) {
      lua_pop(lua_, 1);
      ++count;
    }
    return count;
  }
  // Up to the first nil, as in Redis.
  int elements() {
    for (int size = 0;; ++size) {
      lua_rawgeti(lua_, -1, size + 1);
      const bool end = lua_isnil(lua_, -1);
      lua_pop(lua_, 1);
      if (end) return size;
    }
  }

  lua_State* lua_;
  resp::ReplyWriter& reply_;
  resp::Protocol script_protocol_;
  std::vector<Open> open_;  // the innermost last
  std::uint64_t values_ = 0;
  bool error_counted_ = false;
};

}  // namespace

bool reply_with(lua_State* lua, resp::ReplyWriter& reply, resp::Protocol script_protocol) {
  ReplyFromLua writer(lua, reply, script_protocol);
  writer.write();
  return writer.error_counted();
}

}  // namespace slotcar::scripting
