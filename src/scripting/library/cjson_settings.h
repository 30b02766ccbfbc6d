// The settings of a cjson library: those of the shared one, or of one made by cjson.new().
#pragma once

#include <climits>

#include "scripting/lua.h"

namespace slotcar::scripting {

struct CjsonSettings {
  // encode_invalid_numbers: what becomes of NaN and infinities.
  static constexpr int kRefuse = 0;
  static constexpr int kPrint = 1;

  int sparse_convert = 0;
  int sparse_ratio = 2;
  int sparse_safe = 10;
  int encode_depth_max = 1000;
  int encode_invalid_numbers = kRefuse;
  int decode_invalid_numbers = 1;
  int encode_keep_buffer = 1;
  int number_precision = 14;
  int decode_depth_max = 1000;
};

// Of the running function: the userdata that is its first upvalue.
inline CjsonSettings& cjson_settings(lua_State* lua) {
  return *static_cast<CjsonSettings*>(lua_touserdata(lua, lua_upvalueindex(1)));
}

int cjson_encode(lua_State* lua);  // cjson_encode.cc
int cjson_decode(lua_State* lua);  // cjson_decode.cc

}  // namespace slotcar::scripting
