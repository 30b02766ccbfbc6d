// cjson.decode: JSON to a value, with the leniency and the error texts of lua-cjson 2.1.
#include <strings.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "scripting/bounded_text.h"
#include "scripting/library/cjson_settings.h"

namespace slotcar::scripting {
namespace {

struct Token {
  enum class Type {
    obj_begin,
    obj_end,
    arr_begin,
    arr_end,
    string,
    number,
    boolean,
    null,
    colon,
    comma,
    end,
    error
  };
  Type type = Type::end;
  std::size_t at = 0;
  double number = 0;
  bool boolean = false;
  const char* problem = nullptr;
};

constexpr const char* kTokenNames[] = {"T_OBJ_BEGIN", "T_OBJ_END", "T_ARR_BEGIN", "T_ARR_END",
                                       "T_STRING",    "T_NUMBER",  "T_BOOLEAN",   "T_NULL",
                                       "T_COLON",     "T_COMMA",   "T_END",       "T_ERROR"};

class Decoder {
 public:
  // The text is followed by a zero byte, as every string of Lua is; a zero byte inside ends it.
  Decoder(lua_State* lua, const CjsonSettings& settings, const char* text)
      : lua_(lua), settings_(settings), text_(text), at_(text), string_(lua) {}

  void decode() {
    const Token token = next();
    put_value(token, 0);
    const Token last = next();
    if (last.type != Token::Type::end) fail("the end", last);
  }

 private:
  void fail(const char* expected, const Token& token) {
    const char* const found = token.type == Token::Type::error
                                  ? token.problem
                                  : kTokenNames[static_cast<std::size_t>(token.type)];
    luaL_error(lua_, "Expected %s but found %s at character %d", expected, found,
               static_cast<int>(token.at) + 1);
  }

  void put_value(const Token& token, int depth) {
    switch (token.type) {
      case Token::Type::string:
        return string_.push();
      case Token::Type::number:
        return lua_pushnumber(lua_, token.number);
      case Token::Type::boolean:
        return lua_pushboolean(lua_, token.boolean);
      case Token::Type::null:
        return lua_pushlightuserdata(lua_, nullptr);
      case Token::Type::obj_begin:
        return put_object(depth + 1);
      case Token::Type::arr_begin:
        return put_array(depth + 1);
      default:
        fail("value", token);
    }
  }

  void descend(int depth) {
    if (depth > settings_.decode_depth_max || !lua_checkstack(lua_, 4)) {
      luaL_error(lua_, "Found too many nested data structures (%d)", depth);
    }
  }

  void put_object(int depth) {
    descend(depth);
    lua_newtable(lua_);
    Token token = next();
    if (token.type == Token::Type::obj_end) return;
    for (;;) {
      if (token.type != Token::Type::string) fail("object key string", token);
      string_.push();
      token = next();
      if (token.type != Token::Type::colon) fail("colon", token);
      put_value(next(), depth);
      lua_rawset(lua_, -3);
      token = next();
      if (token.type == Token::Type::obj_end) return;
      if (token.type != Token::Type::comma) fail("comma or object end", token);
      token = next();
    }
  }

  void put_array(int depth) {
    descend(depth);
    lua_newtable(lua_);
    Token token = next();
    if (token.type == Token::Type::arr_end) return;
    for (int i = 1;; ++i) {
      put_value(token, depth);
      lua_rawseti(lua_, -2, i);
      token = next();
      if (token.type == Token::Type::arr_end) return;
      if (token.type != Token::Type::comma) fail("comma or array end", token);
      token = next();
    }
  }

  Token make(Token::Type type) const {
    Token token;
    token.type = type;
    token.at = static_cast<std::size_t>(at_ - text_);
    return token;
  }
  Token problem(const char* text) const {
    Token token = make(Token::Type::error);
    token.problem = text;
    return token;
  }
  Token take(Token token, std::size_t bytes) {
    at_ += bytes;
    return token;
  }

  Token next() {
    while (*at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r') ++at_;
    switch (*at_) {
      case '{':
        return take(make(Token::Type::obj_begin), 1);
      case '}':
        return take(make(Token::Type::obj_end), 1);
      case '[':
        return take(make(Token::Type::arr_begin), 1);
      case ']':
        return take(make(Token::Type::arr_end), 1);
      case ':':
        return take(make(Token::Type::colon), 1);
      case ',':
        return take(make(Token::Type::comma), 1);
      case '\0':
        return make(Token::Type::end);
      case '"':
        return next_string();
      default:
        return next_word();
    }
  }

  Token next_word() {
    if (*at_ == '-' || (*at_ >= '0' && *at_ <= '9')) {
      if (!settings_.decode_invalid_numbers && is_odd_number()) return problem("invalid number");
      return next_number();
    }
    if (begins("true") || begins("false")) {
      Token token = make(Token::Type::boolean);
      token.boolean = *at_ == 't';
      return take(token, token.boolean ? 4 : 5);
    }
    if (begins("null")) return take(make(Token::Type::null), 4);
    const bool may_be_number = std::string_view("fFiInN+").find(*at_) != std::string_view::npos;
    if (may_be_number && settings_.decode_invalid_numbers && is_odd_number()) return next_number();
    return problem("invalid token");
  }

  bool begins(std::string_view word) const {
    return std::strncmp(at_, word.data(), word.size()) == 0;
  }

  // What strtod reads and JSON does not allow: hexadecimal, leading zeros, infinities and NaN.
  bool is_odd_number() const {
    const char* p = at_;
    if (*p == '+') return true;
    if (*p == '-') ++p;
    if (*p == '0') {
      const char second = p[1];
      return (second | 0x20) == 'x' || (second >= '0' && second <= '9');
    }
    if (*p <= '9') return false;
    return strncasecmp(p, "inf", 3) == 0 || strncasecmp(p, "nan", 3) == 0;
  }

  Token next_number() {
    Token token = make(Token::Type::number);
    char* end = nullptr;
    token.number = std::strtod(at_, &end);
    if (end == at_) return problem("invalid number");
    at_ = end;
    return token;
  }

  Token next_string() {
    Token token = make(Token::Type::string);
    string_.clear();
    ++at_;
    while (*at_ != '"') {
      if (*at_ == '\0') return problem("unexpected end of string");
      if (*at_ != '\\') {
        const char* const start = at_;
        while (*at_ != '"' && *at_ != '\0' && *at_ != '\\') ++at_;
        string_.append({start, static_cast<std::size_t>(at_ - start)});
        continue;
      }
      if (at_[1] == 'u') {
        if (!take_unicode()) return problem("invalid unicode escape code");
        continue;
      }
      const char plain = unescaped(at_[1]);
      if (plain == '\0') return problem("invalid escape code");
      string_.append(plain);
      at_ += 2;
    }
    ++at_;
    return token;
  }

  static char unescaped(char c) {
    switch (c) {
      case '"':
      case '\\':
      case '/':
        return c;
      case 'b':
        return '\b';
      case 't':
        return '\t';
      case 'n':
        return '\n';
      case 'f':
        return '\f';
      case 'r':
        return '\r';
      default:
        return '\0';
    }
  }

  // Four hexadecimal digits, or -1. Stops at the zero byte.
  static int hex4(const char* text) {
    int value = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = text[i];
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return -1;
      value = value << 4 | digit;
    }
    return value;
  }

  bool take_unicode() {
    constexpr std::size_t kEscapeBytes = 6;
    int code = hex4(at_ + 2);
    if (code < 0) return false;
    std::size_t taken = kEscapeBytes;
    if ((code & 0xf800) == 0xd800) {  // half of a pair
      if (code & 0x400 || at_[kEscapeBytes] != '\\' || at_[kEscapeBytes + 1] != 'u') return false;
      const int low = hex4(at_ + kEscapeBytes + 2);
      if (low < 0 || (low & 0xfc00) != 0xdc00) return false;
      code = 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff));
      taken += kEscapeBytes;
    }
    append_utf8(code);
    at_ += taken;
    return true;
  }

  void append_utf8(int code) {
    const auto tail = [this, code](int shift) {
      string_.append(static_cast<char>(0x80 | ((code >> shift) & 0x3f)));
    };
    if (code < 0x80) return string_.append(static_cast<char>(code));
    if (code < 0x800) {
      string_.append(static_cast<char>(0xc0 | code >> 6));
    } else if (code < 0x10000) {
      string_.append(static_cast<char>(0xe0 | code >> 12));
      tail(6);
    } else {
      string_.append(static_cast<char>(0xf0 | code >> 18));
      tail(12);
      tail(6);
    }
    tail(0);
  }

  lua_State* lua_;
  const CjsonSettings& settings_;
  const char* const text_;
  const char* at_;
  BoundedText string_;  // of the last string token
};

}  // namespace

int cjson_decode(lua_State* lua) {
  luaL_argcheck(lua, lua_gettop(lua) == 1, 1, "expected 1 argument");
  const std::string_view text = checked_text(lua, 1);
  if (text.size() >= 2 && (text[0] == '\0' || text[1] == '\0')) {
    return luaL_error(lua, "JSON parser does not support UTF-16 or UTF-32");
  }
  Interpreter::of(lua).count_bytes(lua, text.size());
  Decoder decoder(lua, cjson_settings(lua), text.data());
  decoder.decode();
  return 1;
}

}  // namespace slotcar::scripting
