// How COMMAND describes commands in its replies.
#pragma once

#include "resp/reply_writer.h"
#include "schema/registry.h"

namespace slotcar::commands {

void reply_command_info(resp::ReplyWriter& reply, const schema::Registered& command);
// A name and its map.
void reply_command_docs(resp::ReplyWriter& reply, const schema::Registered& command);

}  // namespace slotcar::commands
