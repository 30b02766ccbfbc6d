// cmsgpack: MessagePack, with Redis's choices: the smallest form of each number, integers where a
// number is one, tables of 1..n as arrays, at most 16 tables in each other.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "scripting/bounded_text.h"
#include "scripting/library/libraries.h"

namespace slotcar::scripting {
namespace {

constexpr int kNestingMax = 16;

class Packer {
 public:
  explicit Packer(lua_State* lua) : lua_(lua), out_(lua) {}

  // Packs the value on top of the stack and takes it off.
  void pack(int depth) {
    luaL_checkstack(lua_, 4, "in function mp_encode_lua_type");
    int type = lua_type(lua_, -1);
    if (type == LUA_TTABLE && depth == kNestingMax) type = LUA_TNIL;
    switch (type) {
      case LUA_TSTRING:
        pack_string(text_at(lua_, -1));
        break;
      case LUA_TBOOLEAN:
        out_.append(lua_toboolean(lua_, -1) ? '\xc3' : '\xc2');
        break;
      case LUA_TNUMBER:
        pack_number(lua_tonumber(lua_, -1));
        break;
      case LUA_TTABLE:
        is_array() ? pack_array(depth) : pack_map(depth);
        break;
      default:
        out_.append('\xc0');
    }
    lua_pop(lua_, 1);
  }
  const BoundedText& out() const { return out_; }

 private:
  // A byte of the type and a number of `bytes` bytes, the highest first.
  void put(int type, std::uint64_t value, int bytes) {
    out_.append(static_cast<char>(type));
    for (int i = bytes - 1; i >= 0; --i) out_.append(static_cast<char>(value >> (8 * i)));
  }
  void pack_string(std::string_view text) {
    if (text.size() < 32) {
      put(static_cast<int>(0xa0 | text.size()), 0, 0);
    } else if (text.size() <= 0xff) {
      put(0xd9, text.size(), 1);
    } else if (text.size() <= 0xffff) {
      put(0xda, text.size(), 2);
    } else {
      put(0xdb, text.size(), 4);
    }
    out_.append(text);
  }
  void pack_number(double number) {
    constexpr double kLimit = 9223372036854775808.0;  // 2^63
    if (number >= -kLimit && number < kLimit && std::trunc(number) == number) {
      const auto integer = static_cast<std::int64_t>(number);
      integer >= 0 ? pack_positive(static_cast<std::uint64_t>(integer)) : pack_negative(integer);
      return;
    }
    const auto single = static_cast<float>(number);
    if (static_cast<double>(single) == number) {
      std::uint32_t raw = 0;
      std::memcpy(&raw, &single, sizeof raw);
      put(0xca, raw, 4);
    } else {
      std::uint64_t raw = 0;
      std::memcpy(&raw, &number, sizeof raw);
      put(0xcb, raw, 8);
    }
  }
  void pack_positive(std::uint64_t value) {
    if (value <= 127) {
      put(static_cast<int>(value), 0, 0);
    } else if (value <= 0xff) {
      put(0xcc, value, 1);
    } else if (value <= 0xffff) {
      put(0xcd, value, 2);
    } else if (value <= 0xffffffff) {
      put(0xce, value, 4);
    } else {
      put(0xcf, value, 8);
    }
  }
  void pack_negative(std::int64_t value) {
    const auto raw = static_cast<std::uint64_t>(value);
    if (value >= -32) {
      put(static_cast<int>(raw & 0xff), 0, 0);
    } else if (value >= INT8_MIN) {
      put(0xd0, raw, 1);
    } else if (value >= INT16_MIN) {
      put(0xd1, raw, 2);
    } else if (value >= INT32_MIN) {
      put(0xd2, raw, 4);
    } else {
      put(0xd3, raw, 8);
    }
  }
  void put_header(std::size_t count, int small, int large) {
    if (count <= 15) {
      put(static_cast<int>(static_cast<std::size_t>(small) | count), 0, 0);
    } else if (count <= 0xffff) {
      put(large, count, 2);
    } else {
      put(large + 1, count, 4);
    }
  }

  // Whether the keys are the numbers 1..n.
  bool is_array() {
    std::int64_t count = 0;
    std::int64_t largest = 0;
    lua_pushnil(lua_);
    while (lua_next(lua_, -2)) {
      lua_pop(lua_, 1);
      const double key = lua_type(lua_, -1) == LUA_TNUMBER ? lua_tonumber(lua_, -1) : 0;
      if (!(key > 0) || key > INT32_MAX || std::trunc(key) != key) {
        lua_pop(lua_, 1);
        return false;
      }
      largest = std::max(largest, static_cast<std::int64_t>(key));
      ++count;
    }
    return largest == count;
  }
  void pack_array(int depth) {
    const std::size_t count = lua_objlen(lua_, -1);
    put_header(count, 0x90, 0xdc);
    for (std::size_t i = 1; i <= count; ++i) {
      lua_pushnumber(lua_, static_cast<double>(i));
      lua_gettable(lua_, -2);
      pack(depth + 1);
    }
  }
  void pack_map(int depth) {
    std::size_t count = 0;
    lua_pushnil(lua_);
    while (lua_next(lua_, -2)) {
      lua_pop(lua_, 1);
      ++count;
    }
    put_header(count, 0x80, 0xde);
    lua_pushnil(lua_);
    while (lua_next(lua_, -2)) {
      lua_pushvalue(lua_, -2);
      pack(depth + 1);
      pack(depth + 1);
    }
  }

  lua_State* lua_;
  BoundedText out_;
};

class Unpacker {
 public:
  Unpacker(lua_State* lua, std::string_view data) : lua_(lua), left_(data) {}

  std::size_t left() const { return left_.size(); }

  // Puts the next value on the stack.
  void unpack(int depth = 0) {
    constexpr const char* kWhere = "in function mp_decode_to_lua_type";
    if (depth > limits::kScriptUnpackDepthMax) luaL_error(lua_, "stack overflow (%s)", kWhere);
    luaL_checkstack(lua_, 3, kWhere);
    const auto type = static_cast<unsigned char>(take(1)[0]);
    if (type <= 0x7f) {
      lua_pushnumber(lua_, type);
    } else if (type <= 0x8f) {
      unpack_map(type & 0xf, depth);
    } else if (type <= 0x9f) {
      unpack_array(type & 0xf, depth);
    } else if (type <= 0xbf) {
      push(lua_, take(type & 0x1f));
    } else if (type >= 0xe0) {
      lua_pushnumber(lua_, static_cast<std::int8_t>(type));
    } else {
      unpack_typed(type, depth);
    }
  }

 private:
  void unpack_typed(int type, int depth) {
    switch (type) {
      case 0xc0:
        return lua_pushnil(lua_);
      case 0xc2:
      case 0xc3:
        return lua_pushboolean(lua_, type == 0xc3);
      case 0xca:
        return push_real<float, std::uint32_t>();
      case 0xcb:
        return push_real<double, std::uint64_t>();
      case 0xcc:
      case 0xcd:
      case 0xce:
      case 0xcf:  // Redis takes 64 bits as a number with sign.
        return lua_pushnumber(
            lua_, static_cast<double>(static_cast<std::int64_t>(number(1u << (type - 0xcc)))));
      case 0xd0:
        return lua_pushnumber(lua_, static_cast<std::int8_t>(number(1)));
      case 0xd1:
        return lua_pushnumber(lua_, static_cast<std::int16_t>(number(2)));
      case 0xd2:
        return lua_pushnumber(lua_, static_cast<std::int32_t>(number(4)));
      case 0xd3:
        return lua_pushnumber(lua_, static_cast<double>(static_cast<std::int64_t>(number(8))));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return push(lua_, take(number(1u << (type - 0xd9))));
      case 0xdc:
      case 0xdd:
        return unpack_array(number(type == 0xdc ? 2 : 4), depth);
      case 0xde:
      case 0xdf:
        return unpack_map(number(type == 0xde ? 2 : 4), depth);
      default:
        luaL_error(lua_, "Bad data format in input.");
    }
  }
  template <class Real, class Raw>
  void push_real() {
    const auto raw = static_cast<Raw>(number(sizeof(Raw)));
    Real real = 0;
    std::memcpy(&real, &raw, sizeof real);
    lua_pushnumber(lua_, static_cast<double>(real));
  }
  // No memory is taken on the word of a header: each element is at least one byte of the input.
  void unpack_array(std::uint64_t count, int depth) {
    lua_newtable(lua_);
    for (std::uint64_t i = 1; i <= count; ++i) {
      lua_pushnumber(lua_, static_cast<double>(i));
      unpack(depth + 1);
      lua_settable(lua_, -3);
    }
  }
  void unpack_map(std::uint64_t count, int depth) {
    lua_newtable(lua_);
    for (; count > 0; --count) {
      unpack(depth + 1);
      unpack(depth + 1);
      lua_settable(lua_, -3);
    }
  }
  std::string_view take(std::uint64_t bytes) {
    if (bytes > left_.size()) luaL_error(lua_, "Missing bytes in input.");
    const std::string_view taken = left_.substr(0, bytes);
    left_.remove_prefix(bytes);
    return taken;
  }
  std::uint64_t number(std::size_t bytes) {
    std::uint64_t value = 0;
    for (const char byte : take(bytes)) value = value << 8 | static_cast<unsigned char>(byte);
    return value;
  }

  lua_State* lua_;
  std::string_view left_;
};

int pack(lua_State* lua) {
  const int count = lua_gettop(lua);
  if (count == 0) return luaL_argerror(lua, 0, "MessagePack pack needs input.");
  luaL_checkstack(lua, 4, "Too many arguments for MessagePack pack.");
  Packer packer(lua);
  for (int i = 1; i <= count; ++i) {
    lua_pushvalue(lua, i);
    packer.pack(0);
  }
  packer.out().push();
  return 1;
}

// Up to `limit` values from `offset` on, and before them where to go on (-1: at the end). With
// neither: all values, and only those.
int unpack_some(lua_State* lua, lua_Integer limit, lua_Integer offset) {
  const std::string_view data = checked_text(lua, 1);
  Interpreter::of(lua).count_bytes(lua, data.size());
  const bool all = limit == 0 && offset == 0;
  if (offset < 0 || limit < 0) {
    return luaL_error(lua, "Invalid request to unpack with offset of %d and limit of %d.",
                      static_cast<int>(offset), static_cast<int>(data.size()));
  }
  if (static_cast<std::size_t>(offset) > data.size()) {
    return luaL_error(lua, "Start offset %d greater than input length %d.",
                      static_cast<int>(offset), static_cast<int>(data.size()));
  }
  if (all) limit = INT32_MAX;
  lua_settop(lua, 1);
  Unpacker unpacker(lua, data.substr(static_cast<std::size_t>(offset)));
  int count = 0;
  for (; unpacker.left() > 0 && count < limit; ++count) unpacker.unpack();
  if (all) return count;
  luaL_checkstack(lua, 1, "in function mp_unpack_full");
  lua_pushinteger(
      lua, unpacker.left() == 0 ? -1 : static_cast<lua_Integer>(data.size() - unpacker.left()));
  lua_insert(lua, 2);
  return count + 1;
}

int unpack_all(lua_State* lua) {
  return unpack_some(lua, 0, 0);
}

int unpack_one(lua_State* lua) {
  return unpack_some(lua, 1, luaL_optinteger(lua, 2, 0));
}

int unpack_limit(lua_State* lua) {
  return unpack_some(lua, luaL_checkinteger(lua, 2), luaL_optinteger(lua, 3, 0));
}

constexpr luaL_Reg kFunctions[] = {{"pack", pack},
                                   {"unpack", unpack_all},
                                   {"unpack_one", unpack_one},
                                   {"unpack_limit", unpack_limit},
                                   {nullptr, nullptr}};

}  // namespace

void push_cmsgpack_library(lua_State* lua) {
  lua_newtable(lua);
  luaL_register(lua, nullptr, kFunctions);
  lua_pushliteral(lua, "cmsgpack");
  lua_setfield(lua, -2, "_NAME");
  lua_pushliteral(lua, "lua-cmsgpack 0.4.0");  // The version whose behaviour this has.
  lua_setfield(lua, -2, "_VERSION");
  lua_pushliteral(lua, "MessagePack C implementation for Lua");
  lua_setfield(lua, -2, "_DESCRIPTION");
}

}  // namespace slotcar::scripting
