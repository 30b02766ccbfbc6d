#include "reply_builder.h"

#include "base/assert.h"

namespace slotcar::client {

void ReplyBuilder::text(Reply& reply, char type, std::string_view text) {
  reply.text_ = text;
  switch (type) {
    case '+':
      reply.kind_ = Reply::Kind::text;
      return;
    case '-':
    case '!':
      reply.kind_ = Reply::Kind::error;
      return;
    case '$':
    case '=':
      reply.kind_ = Reply::Kind::bytes;
      return;
    case '(':
      reply.kind_ = Reply::Kind::big_number;
      return;
    default:
      UNREACHABLE();
  }
}

void ReplyBuilder::aggregate(Reply& reply, char type) {
  switch (type) {
    case '*':
      reply.kind_ = Reply::Kind::array;
      return;
    case '%':
      reply.kind_ = Reply::Kind::map;
      return;
    case '~':
      reply.kind_ = Reply::Kind::set;
      return;
    case '>':
      reply.kind_ = Reply::Kind::push;
      return;
    default:
      UNREACHABLE();
  }
}

}  // namespace slotcar::client

template class slotcar::resp::BasicReplyParser<slotcar::client::ReplyBuilder>;
