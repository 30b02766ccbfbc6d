// What a script returns becomes the reply, as in Redis.
#pragma once

#include "resp/reply_writer.h"
#include "scripting/lua.h"

namespace slotcar::scripting {

// Answers with the value on top of the stack and takes it off. `script_protocol` is the one the
// script has chosen (redis.setresp). Says whether the reply is an error that its command has
// counted.
bool reply_with(lua_State* lua, resp::ReplyWriter& reply, resp::Protocol script_protocol);

}  // namespace slotcar::scripting
