// Builds the client's Replies directly from a server's bytes. Attributes are read and dropped.
#pragma once

#include "resp/basic_reply_parser.h"
#include "slotcar/reply.h"

namespace slotcar::client {

struct ReplyBuilder {
  using Tree = Reply;
  static void text(Reply& reply, char type, std::string_view text);
  static void format(Reply&, std::string_view) {}
  static void integer(Reply& reply, std::int64_t number) {
    reply.kind_ = Reply::Kind::integer;
    reply.integer_ = number;
  }
  static void real(Reply& reply, double number, std::string_view text) {
    reply.kind_ = Reply::Kind::real;
    reply.real_ = number;
    reply.text_ = text;
  }
  static void boolean(Reply& reply, bool truth) {
    reply.kind_ = Reply::Kind::boolean;
    reply.boolean_ = truth;
  }
  static void aggregate(Reply& reply, char type);
  static std::vector<Reply>& items(Reply& reply) { return reply.items_; }
  static void attributes(Reply&, std::vector<Reply>&&) {}
};

using ReplyParser = resp::BasicReplyParser<ReplyBuilder>;

}  // namespace slotcar::client

extern template class slotcar::resp::BasicReplyParser<slotcar::client::ReplyBuilder>;
