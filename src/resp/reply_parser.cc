#include "resp/reply_parser.h"

#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "base/limits.h"
#include "base/numbers.h"

namespace slotcar::resp {
namespace {

// Bytes already read are dropped when they are at least these and more than half of all.
constexpr std::size_t kCompactBytes = 64 * 1024;
constexpr std::string_view kLineEnd = "\r\n";

std::optional<std::int64_t> parse_signed(std::string_view text) {
  if (!text.empty() && text[0] == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text[0] == '-') return std::nullopt;
  }
  return base::parse_int64(text);
}

std::optional<double> parse_real(std::string_view text) {
  if (text == "nan" || text == "-nan") return std::numeric_limits<double>::quiet_NaN();
  return base::parse_double(text);
}

bool is_big_number(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

void append_all(std::vector<Value>& to, std::vector<Value>&& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  from.clear();
}

}  // namespace

void ReplyParser::feed(std::string_view bytes) {
  if (read_ == buffer_.size()) {
    buffer_.clear();
    read_ = 0;
  } else if (read_ >= kCompactBytes && read_ > buffer_.size() / 2) {
    buffer_.erase(0, read_);
    read_ = 0;
  }
  buffer_.append(bytes);
}

ReplyParser::Outcome ReplyParser::next(Value& out) {
  if (!error_.empty()) return Outcome::error;
  for (;;) {
    Value value;
    switch (read_element(value)) {
      case Step::incomplete:
        return Outcome::incomplete;
      case Step::error:
        return Outcome::error;
      case Step::opened:
        break;
      case Step::value:
        if (place(value)) {
          out = std::move(value);
          return Outcome::value;
        }
        break;
    }
  }
}

// Closes, one after the other, all aggregates that this value completes.
bool ReplyParser::place(Value& value) {
  while (!open_.empty()) {
    Open& parent = open_.back();
    parent.value.items.push_back(std::move(value));
    if (--parent.left > 0) return false;
    Open done = std::move(parent);
    open_.pop_back();
    if (done.is_attribute) {
      attributes_ = std::move(done.value.items);
      return false;
    }
    value = std::move(done.value);
  }
  return true;
}

ReplyParser::Step ReplyParser::read_element(Value& out) {
  std::string_view line;
  const Step step = read_line(line);
  if (step != Step::value) return step;
  if (line.empty()) return fail("a reply begins with an empty line");
  const char type = line[0];
  const std::string_view rest = line.substr(1);
  const std::size_t header_bytes = line.size() + kLineEnd.size();
  switch (type) {
    case '$':
    case '!':
    case '=':
      return read_string(type, header_bytes, rest, out);
    case '*':
    case '%':
    case '~':
    case '>':
    case '|':
      read_ += header_bytes;
      return open_aggregate(type, rest, out);
    default:
      read_ += header_bytes;
      return read_scalar(type, rest, out);
  }
}

// On `value` the line is there; it counts as read only when the caller moves `read_`.
ReplyParser::Step ReplyParser::read_line(std::string_view& line) {
  const std::string_view rest = std::string_view(buffer_).substr(read_);
  const std::size_t length = rest.find('\r', searched_);
  if (length > limits::kReplyLineBytesMax && rest.size() > limits::kReplyLineBytesMax) {
    return fail("a line is too long");
  }
  if (length == std::string_view::npos) {
    searched_ = rest.size();
    return Step::incomplete;
  }
  if (length + 1 == rest.size()) return Step::incomplete;
  if (rest[length + 1] != '\n') return fail("a line does not end with CR LF");
  line = rest.substr(0, length);
  searched_ = 0;
  return Step::value;
}

ReplyParser::Step ReplyParser::read_string(char type, std::size_t header_bytes,
                                           std::string_view length, Value& out) {
  const auto size = base::parse_int64(length);
  const bool null = type == '$' && size == -1;
  if (!size || (*size < 0 && !null) || *size > limits::kReplyBulkBytesMax) {
    return fail("invalid length of a string");
  }
  if (!null) {
    const std::string_view rest = std::string_view(buffer_).substr(read_ + header_bytes);
    const auto bytes = static_cast<std::size_t>(*size);
    if (rest.size() < bytes + kLineEnd.size()) return Step::incomplete;
    if (rest.substr(bytes, kLineEnd.size()) != kLineEnd) {
      return fail("a string does not end with CR LF");
    }
    std::string_view text = rest.substr(0, bytes);
    out.kind = type == '!' ? Value::Kind::error : Value::Kind::bulk;
    if (type == '=') {
      if (bytes < 4 || text[3] != ':') return fail("a verbatim string has no format");
      out.kind = Value::Kind::verbatim;
      out.format = text.substr(0, 3);
      text.remove_prefix(4);
    }
    out.text = text;
    read_ += bytes + kLineEnd.size();
  }
  read_ += header_bytes;
  out.attributes = std::exchange(attributes_, {});
  return Step::value;
}

ReplyParser::Step ReplyParser::open_aggregate(char type, std::string_view count, Value& out) {
  const auto number = base::parse_int64(count);
  const bool null = type == '*' && number == -1;
  if (!number || (*number < 0 && !null) || *number > limits::kReplyCountMax) {
    return fail("invalid count of an aggregate");
  }
  Open opened;
  switch (type) {
    case '*':
      opened.value.kind = null ? Value::Kind::null : Value::Kind::array;
      break;
    case '%':
      opened.value.kind = Value::Kind::map;
      break;
    case '~':
      opened.value.kind = Value::Kind::set;
      break;
    case '>':
      opened.value.kind = Value::Kind::push;
      break;
    default:
      opened.is_attribute = true;
      break;
  }
  opened.left = type == '%' || type == '|' ? *number * 2 : *number;
  if (opened.is_attribute) {
    if (opened.left == 0) return Step::opened;
    // Several attributes before one value are as good as one.
    append_all(opened.value.items, std::exchange(attributes_, {}));
  } else {
    opened.value.attributes = std::exchange(attributes_, {});
    if (opened.left <= 0) {
      out = std::move(opened.value);
      return Step::value;
    }
  }
  if (open_.size() >= limits::kReplyDepthMax) return fail("aggregates are nested too deep");
  open_.push_back(std::move(opened));
  return Step::opened;
}

ReplyParser::Step ReplyParser::read_scalar(char type, std::string_view text, Value& out) {
  out.attributes = std::exchange(attributes_, {});
  switch (type) {
    case '+':
    case '-':
      out.kind = type == '+' ? Value::Kind::simple : Value::Kind::error;
      out.text = text;
      return Step::value;
    case ':': {
      const auto number = parse_signed(text);
      if (!number) return fail("invalid integer");
      out.kind = Value::Kind::integer;
      out.integer = *number;
      return Step::value;
    }
    case '_':
      if (!text.empty()) return fail("invalid null");
      return Step::value;
    case '#':
      if (text != "t" && text != "f") return fail("invalid boolean");
      out.kind = Value::Kind::boolean;
      out.boolean = text == "t";
      return Step::value;
    case ',': {
      const auto number = parse_real(text);
      if (!number) return fail("invalid double");
      out.kind = Value::Kind::real;
      out.real = *number;
      out.text = text;
      return Step::value;
    }
    case '(':
      if (!is_big_number(text)) return fail("invalid big number");
      out.kind = Value::Kind::big_number;
      out.text = text;
      return Step::value;
    default:
      return fail("a reply begins with an unknown type");
  }
}

ReplyParser::Step ReplyParser::fail(std::string_view text) {
  error_ = "Protocol error: ";
  error_ += text;
  open_.clear();
  attributes_.clear();
  return Step::error;
}

}  // namespace slotcar::resp
