// ReplyParser: the parser of replies (basic_reply_parser.h) that builds Values.
#pragma once

#include "resp/basic_reply_parser.h"
#include "resp/value.h"

namespace slotcar::resp {

struct ValueBuilder {
  using Tree = Value;
  static void text(Value& value, char type, std::string_view text);
  static void format(Value& value, std::string_view format) { value.format = format; }
  static void integer(Value& value, std::int64_t number) {
    value.kind = Value::Kind::integer;
    value.integer = number;
  }
  static void real(Value& value, double number, std::string_view text) {
    value.kind = Value::Kind::real;
    value.real = number;
    value.text = text;
  }
  static void boolean(Value& value, bool truth) {
    value.kind = Value::Kind::boolean;
    value.boolean = truth;
  }
  static void aggregate(Value& value, char type);
  static std::vector<Value>& items(Value& value) { return value.items; }
  static void attributes(Value& value, std::vector<Value>&& attributes) {
    value.attributes = std::move(attributes);
  }
};

extern template class BasicReplyParser<ValueBuilder>;
using ReplyParser = BasicReplyParser<ValueBuilder>;

}  // namespace slotcar::resp
