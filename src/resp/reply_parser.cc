#include "resp/reply_parser.h"

#include "base/assert.h"

namespace slotcar::resp {

void ValueBuilder::text(Value& value, char type, std::string_view text) {
  value.text = text;
  switch (type) {
    case '+':
      value.kind = Value::Kind::simple;
      return;
    case '-':
    case '!':
      value.kind = Value::Kind::error;
      return;
    case '$':
      value.kind = Value::Kind::bulk;
      return;
    case '=':
      value.kind = Value::Kind::verbatim;
      return;
    case '(':
      value.kind = Value::Kind::big_number;
      return;
    default:
      UNREACHABLE();
  }
}

void ValueBuilder::aggregate(Value& value, char type) {
  switch (type) {
    case '*':
      value.kind = Value::Kind::array;
      return;
    case '%':
      value.kind = Value::Kind::map;
      return;
    case '~':
      value.kind = Value::Kind::set;
      return;
    case '>':
      value.kind = Value::Kind::push;
      return;
    default:
      UNREACHABLE();
  }
}

template class BasicReplyParser<ValueBuilder>;

}  // namespace slotcar::resp
