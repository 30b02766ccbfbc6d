// The reply of a command, as bytes, becomes a value of Lua as in Redis:
//   RESP2: integer -> number, bulk -> string, null -> false, status -> {ok=}, error -> {err=}
//   RESP3: map -> {map=}, set -> {set=}, double -> {double=}, big number -> {big_number=},
//          verbatim -> {verbatim_string={string=, format=}}, null -> nil, boolean -> boolean
#pragma once

#include <string_view>

#include "scripting/lua.h"

namespace slotcar::scripting {

// Pushes the value. The reply is one of ours, whole and well-formed; the ASSERTs say so.
void push_reply(lua_State* lua, std::string_view reply);

}  // namespace slotcar::scripting
