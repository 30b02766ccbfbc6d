#include "resp/words.h"

#include <cstddef>

namespace slotcar::resp {
namespace {

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// Between words any blank counts, but vertical tab and form feed do not end one. So does Redis.
bool ends_word(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

char unescaped(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'b':
      return '\b';
    case 'a':
      return '\a';
    default:
      return c;
  }
}

// Reads words from `at` and writes them over what has been read.
class Splitter {
 public:
  Splitter(char* line, char* end) : at_(line), end_(end) {}

  bool at_end() {
    while (at_ != end_ && is_space(*at_)) ++at_;
    return at_ == end_;
  }

  bool word(std::string_view& word) {
    char* const start = at_;
    to_ = at_;
    while (at_ != end_ && !ends_word(*at_)) {
      const char c = *at_++;
      if (c != '"' && c != '\'') {
        *to_++ = c;
        continue;
      }
      if (!(c == '"' ? double_quoted() : single_quoted())) return false;
      break;
    }
    word = std::string_view(start, static_cast<std::size_t>(to_ - start));
    return true;
  }

 private:
  // Both begin behind the opening quote and end behind the closing one.
  bool double_quoted() {
    while (at_ != end_) {
      const char c = *at_++;
      if (c == '"') return closed();
      if (c == '\\' && at_ != end_) {
        *to_++ = escape();
      } else {
        *to_++ = c;
      }
    }
    return false;
  }

  bool single_quoted() {
    while (at_ != end_) {
      const char c = *at_++;
      if (c == '\'') return closed();
      if (c == '\\' && at_ != end_ && *at_ == '\'') {
        *to_++ = *at_++;
      } else {
        *to_++ = c;
      }
    }
    return false;
  }

  char escape() {
    if (*at_ == 'x' && end_ - at_ >= 3) {
      const int high = hex_value(at_[1]);
      const int low = hex_value(at_[2]);
      if (high >= 0 && low >= 0) {
        at_ += 3;
        return static_cast<char>(high * 16 + low);
      }
    }
    return unescaped(*at_++);
  }

  bool closed() const { return at_ == end_ || is_space(*at_); }

  char* at_;
  char* end_;
  char* to_ = nullptr;
};

}  // namespace

bool split_words_in_place(char* line, char* end, Arguments& out) {
  Splitter splitter(line, end);
  while (!splitter.at_end()) {
    std::string_view word;
    if (!splitter.word(word)) return false;
    out.add(word);
  }
  return true;
}

std::optional<std::vector<std::string>> split_words(std::string_view line) {
  std::string copy(line);
  Arguments views;
  if (!split_words_in_place(copy.data(), copy.data() + copy.size(), views)) return std::nullopt;
  return std::vector<std::string>(views.views().begin(), views.views().end());
}

std::string quote_word(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (char c : text) {
    switch (c) {
      case '\\':
        out += "\\\\";
        break;
      case '"':
        out += "\\\"";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\a':
        out += "\\a";
        break;
      case '\b':
        out += "\\b";
        break;
      default: {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f) {
          out += c;
        } else {
          out += "\\x";
          out += kHex[byte >> 4];
          out += kHex[byte & 15];
        }
      }
    }
  }
  out += '"';
  return out;
}

}  // namespace slotcar::resp
