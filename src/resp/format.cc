#include "resp/format.h"

#include <string_view>

#include "base/numbers.h"
#include "resp/words.h"

namespace slotcar::resp {
namespace {

// What a transcript shows on one line must stay on one line, whatever an error quotes.
std::string one_line(char type, std::string_view text) {
  std::string line(1, type);
  for (char c : text) line += c == '\r' || c == '\n' ? ' ' : c;
  return line;
}

std::string scalar_line(const Value& value) {
  switch (value.kind) {
    case Value::Kind::simple:
      return one_line('+', value.text);
    case Value::Kind::error:
      return one_line('-', value.text);
    case Value::Kind::integer:
      return ":" + std::to_string(value.integer);
    case Value::Kind::boolean:
      return value.boolean ? ":1" : ":0";
    case Value::Kind::real:
    case Value::Kind::bulk:
    case Value::Kind::big_number:
    case Value::Kind::verbatim:
      return quote_word(value.text);
    default:
      return "(nil)";
  }
}

// Writes the value at the end of the last line; further lines are indented by `indent`.
// Recursion is bounded by the parser's limit on nesting.
void write(const Value& value, std::size_t indent, std::vector<std::string>& lines) {
  if (!value.is_aggregate()) {
    lines.back() += scalar_line(value);
    return;
  }
  if (value.items.empty()) {
    lines.back() += "(empty array)";
    return;
  }
  const std::size_t width = std::to_string(value.items.size()).size();
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    if (i > 0) lines.emplace_back(indent, ' ');
    const std::string index = std::to_string(i + 1);
    lines.back().append(width - index.size(), ' ');
    lines.back() += index + ") ";
    write(value.items[i], indent + width + 2, lines);
  }
}

}  // namespace

std::vector<std::string> format_lines(const Value& value) {
  std::vector<std::string> lines(1);
  write(value, 0, lines);
  return lines;
}

std::string format(const Value& value) {
  std::string text;
  for (const std::string& line : format_lines(value)) {
    if (!text.empty()) text += '\n';
    text += line;
  }
  return text;
}

}  // namespace slotcar::resp
