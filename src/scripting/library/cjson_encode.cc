// cjson.encode: a value as JSON, byte for byte as lua-cjson 2.1 writes it.
#include <cmath>
#include <cstdio>
#include <string_view>

#include "scripting/bounded_text.h"
#include "scripting/interpreter.h"
#include "scripting/library/cjson_settings.h"

namespace slotcar::scripting {
namespace {

class Encoder {
 public:
  Encoder(lua_State* lua, const CjsonSettings& settings)
      : lua_(lua), settings_(settings), out_(lua) {}

  // The value on top of the stack; it stays there.
  void encode(int depth) {
    switch (lua_type(lua_, -1)) {
      case LUA_TSTRING:
        return encode_string(text_at(lua_, -1));
      case LUA_TNUMBER:
        return encode_number();
      case LUA_TBOOLEAN:
        return out_.append(lua_toboolean(lua_, -1) ? "true" : "false");
      case LUA_TNIL:
        return out_.append("null");
      case LUA_TTABLE:
        return encode_table(depth + 1);
      case LUA_TLIGHTUSERDATA:
        if (lua_touserdata(lua_, -1) == nullptr) return out_.append("null");
        [[fallthrough]];
      default:
        refuse("type not supported");
    }
  }
  const BoundedText& out() const { return out_; }

 private:
  void refuse(const char* reason) {
    luaL_error(lua_, "Cannot serialise %s: %s", luaL_typename(lua_, -1), reason);
  }

  void encode_table(int depth) {
    if (depth > settings_.encode_depth_max || !lua_checkstack(lua_, 4)) {
      luaL_error(lua_, "Cannot serialise, excessive depth (%d)", depth);
    }
    const int length = array_length();
    length > 0 ? encode_array(depth, length) : encode_object(depth);
  }

  // The largest key if all keys are whole numbers from 1 on; 0 or less: the table is an object.
  int array_length() {
    double largest = 0;
    double items = 0;
    lua_pushnil(lua_);
    while (lua_next(lua_, -2)) {
      lua_pop(lua_, 1);
      const double key = lua_type(lua_, -1) == LUA_TNUMBER ? lua_tonumber(lua_, -1) : 0;
      if (!(key >= 1) || std::floor(key) != key || key > INT_MAX) {
        lua_pop(lua_, 1);
        return -1;
      }
      largest = std::max(largest, key);
      ++items;
    }
    if (settings_.sparse_ratio > 0 && largest > items * settings_.sparse_ratio &&
        largest > settings_.sparse_safe) {
      if (!settings_.sparse_convert) refuse("excessively sparse array");
      return -1;
    }
    return static_cast<int>(largest);
  }

  void encode_array(int depth, int length) {
    out_.append('[');
    constexpr int kItemsBetweenLooks = 1 << 16;
    for (int i = 1; i <= length; ++i) {
      if (i % kItemsBetweenLooks == 0) Interpreter::of(lua_).look_whether_to_stop(lua_);
      if (i > 1) out_.append(',');
      lua_rawgeti(lua_, -1, i);
      encode(depth);
      lua_pop(lua_, 1);
    }
    out_.append(']');
  }

  void encode_object(int depth) {
    out_.append('{');
    bool first = true;
    lua_pushnil(lua_);
    while (lua_next(lua_, -2)) {
      if (!first) out_.append(',');
      first = false;
      encode_key();
      out_.append(':');
      encode(depth);
      lua_pop(lua_, 1);
    }
    out_.append('}');
  }

  // The key below the value.
  void encode_key() {
    lua_pushvalue(lua_, -2);
    if (lua_type(lua_, -1) == LUA_TNUMBER) {
      out_.append('"');
      encode_number();
      out_.append('"');
    } else if (lua_type(lua_, -1) == LUA_TSTRING) {
      encode_string(text_at(lua_, -1));
    } else {
      lua_pop(lua_, 3);  // The table itself is what cannot be written.
      refuse("table key must be a number or string");
    }
    lua_pop(lua_, 1);
  }

  void encode_number() {
    const double number = lua_tonumber(lua_, -1);
    if (!std::isfinite(number)) {
      if (settings_.encode_invalid_numbers == CjsonSettings::kRefuse) {
        refuse("must not be NaN or Inf");
      }
      if (settings_.encode_invalid_numbers != CjsonSettings::kPrint) return out_.append("null");
      if (std::isnan(number)) return out_.append("nan");
    }
    char text[64];
    const int size = std::snprintf(text, sizeof text, "%.*g", settings_.number_precision, number);
    out_.append({text, static_cast<std::size_t>(size)});
  }

  void encode_string(std::string_view text) {
    out_.append('"');
    for (const char c : text) {
      switch (c) {
        case '"':
          out_.append("\\\"");
          break;
        case '\\':
          out_.append("\\\\");
          break;
        case '/':
          out_.append("\\/");
          break;
        case '\b':
          out_.append("\\b");
          break;
        case '\t':
          out_.append("\\t");
          break;
        case '\n':
          out_.append("\\n");
          break;
        case '\f':
          out_.append("\\f");
          break;
        case '\r':
          out_.append("\\r");
          break;
        default:
          encode_plain(c);
      }
    }
    out_.append('"');
  }

  void encode_plain(char c) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) return out_.append(c);
    constexpr std::string_view kDigits = "0123456789abcdef";
    out_.append("\\u00");
    out_.append(kDigits[byte >> 4]);
    out_.append(kDigits[byte & 15]);
  }

  lua_State* lua_;
  const CjsonSettings& settings_;
  BoundedText out_;
};

}  // namespace

int cjson_encode(lua_State* lua) {
  luaL_argcheck(lua, lua_gettop(lua) == 1, 1, "expected 1 argument");
  Encoder encoder(lua, cjson_settings(lua));
  encoder.encode(0);
  encoder.out().push();
  return 1;
}

}  // namespace slotcar::scripting
