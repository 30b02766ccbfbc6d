#include "scripting/pattern.h"

#include <cctype>
#include <cstring>

#include "base/limits.h"
#include "scripting/interpreter.h"

namespace slotcar::scripting {

PatternMatch::PatternMatch(lua_State* lua, std::string_view subject, std::string_view pattern)
    : lua_(lua),
      begin_(subject.data()),
      end_(subject.data() + subject.size()),
      pattern_(pattern.data()),
      pattern_end_(pattern.data() + std::strlen(pattern.data())) {}

const char* PatternMatch::match_at(const char* start) {
  level_ = 0;
  depth_ = 0;
  return match(start, pattern_);
}

void PatternMatch::count_step() {
  constexpr unsigned kStepsBetweenLooks = 1u << 16;
  if (++steps_ % kStepsBetweenLooks == 0) Interpreter::of(lua_).look_whether_to_stop(lua_);
}

const char* PatternMatch::match(const char* s, const char* p) {
  if (++depth_ > limits::kScriptPatternDepthMax) luaL_error(lua_, "pattern too complex");
  const char* const matched = match_steps(s, p);
  --depth_;
  return matched;
}

const char* PatternMatch::match_steps(const char* s, const char* p) {
  for (;;) {
    count_step();
    if (p == pattern_end_) return s;
    if (*p == '(') {
      return p[1] == ')' ? open_capture(s, p + 2, kPosition) : open_capture(s, p + 1, kUnfinished);
    }
    if (*p == ')') return close_capture(s, p + 1);
    if (*p == '$' && p + 1 == pattern_end_) return s == end_ ? s : nullptr;
    if (*p == '%') {
      const Special special = match_special(s, p);
      if (special == Special::failed) return nullptr;
      if (special == Special::matched) continue;
    }
    const char* const after = class_end(p);
    const bool fits = s < end_ && is_single(static_cast<unsigned char>(*s), p, after);
    switch (*after) {
      case '?':
        if (fits) {
          if (const char* const matched = match(s + 1, after + 1)) return matched;
        }
        p = after + 1;
        break;
      case '*':
        return expand_most(s, p, after);
      case '+':
        return fits ? expand_most(s + 1, p, after) : nullptr;
      case '-':
        return expand_least(s, p, after);
      default:
        if (!fits) return nullptr;
        ++s;
        p = after;
    }
  }
}

PatternMatch::Special PatternMatch::match_special(const char*& s, const char*& p) {
  const char name = p[1];
  if (name == 'b') {
    s = match_balanced(s, p + 2);
    p += 4;
    return s == nullptr ? Special::failed : Special::matched;
  }
  if (name == 'f') {
    p += 2;
    if (*p != '[') luaL_error(lua_, "missing '[' after '%%f' in pattern");
    const char* const after = class_end(p);
    const unsigned char before = s == begin_ ? 0 : static_cast<unsigned char>(s[-1]);
    if (in_set(before, p, after - 1) || !in_set(static_cast<unsigned char>(*s), p, after - 1)) {
      return Special::failed;
    }
    p = after;
    return Special::matched;
  }
  if (std::isdigit(static_cast<unsigned char>(name))) {
    s = match_again(s, name);
    p += 2;
    return s == nullptr ? Special::failed : Special::matched;
  }
  return Special::no;
}

const char* PatternMatch::expand_most(const char* s, const char* p, const char* after) {
  std::ptrdiff_t count = 0;
  while (s + count < end_ && is_single(static_cast<unsigned char>(s[count]), p, after)) ++count;
  for (; count >= 0; --count) {
    count_step();
    if (const char* const matched = match(s + count, after + 1)) return matched;
  }
  return nullptr;
}

const char* PatternMatch::expand_least(const char* s, const char* p, const char* after) {
  for (;; ++s) {
    count_step();
    if (const char* const matched = match(s, after + 1)) return matched;
    if (s >= end_ || !is_single(static_cast<unsigned char>(*s), p, after)) return nullptr;
  }
}

const char* PatternMatch::open_capture(const char* s, const char* p, std::ptrdiff_t size) {
  if (level_ >= kCapturesMax) luaL_error(lua_, "too many captures");
  captures_[level_++] = {s, size};
  const char* const matched = match(s, p);
  if (matched == nullptr) --level_;
  return matched;
}

const char* PatternMatch::close_capture(const char* s, const char* p) {
  int open = level_ - 1;
  while (open >= 0 && captures_[open].size != kUnfinished) --open;
  if (open < 0) luaL_error(lua_, "invalid pattern capture");
  captures_[open].size = s - captures_[open].start;
  const char* const matched = match(s, p);
  if (matched == nullptr) captures_[open].size = kUnfinished;
  return matched;
}

const char* PatternMatch::match_balanced(const char* s, const char* p) {
  if (p >= pattern_end_ || p + 1 >= pattern_end_) luaL_error(lua_, "unbalanced pattern");
  if (s >= end_ || *s != *p) return nullptr;
  const char opening = p[0];
  const char closing = p[1];
  std::ptrdiff_t open = 1;
  while (++s < end_) {
    if (*s == closing) {
      if (--open == 0) return s + 1;
    } else if (*s == opening) {
      ++open;
    }
  }
  return nullptr;
}

// %1 to %9: what a capture holds, once more. A capture of a position holds nothing that could
// match.
const char* PatternMatch::match_again(const char* s, char digit) {
  const int number = digit - '1';
  if (number < 0 || number >= level_ || captures_[number].size == kUnfinished) {
    luaL_error(lua_, "invalid capture index");
  }
  if (captures_[number].size == kPosition) return nullptr;
  const auto size = static_cast<std::size_t>(captures_[number].size);
  if (static_cast<std::size_t>(end_ - s) < size) return nullptr;
  return std::memcmp(captures_[number].start, s, size) == 0 ? s + size : nullptr;
}

// The end of the single character class that begins at p.
const char* PatternMatch::class_end(const char* p) {
  if (*p == '%') {
    if (p + 1 >= pattern_end_) luaL_error(lua_, "malformed pattern (ends with '%%')");
    return p + 2;
  }
  if (*p != '[') return p + 1;
  ++p;
  if (*p == '^') ++p;
  do {  // A ] that comes first stands for itself.
    if (p >= pattern_end_) luaL_error(lua_, "malformed pattern (missing ']')");
    if (*p++ == '%' && p < pattern_end_) ++p;
  } while (*p != ']');
  return p + 1;
}

bool PatternMatch::in_class(unsigned char c, unsigned char name) {
  bool is = false;
  switch (std::tolower(name)) {
    case 'a':
      is = std::isalpha(c);
      break;
    case 'c':
      is = std::iscntrl(c);
      break;
    case 'd':
      is = std::isdigit(c);
      break;
    case 'l':
      is = std::islower(c);
      break;
    case 'p':
      is = std::ispunct(c);
      break;
    case 's':
      is = std::isspace(c);
      break;
    case 'u':
      is = std::isupper(c);
      break;
    case 'w':
      is = std::isalnum(c);
      break;
    case 'x':
      is = std::isxdigit(c);
      break;
    case 'z':
      is = c == 0;
      break;
    default:
      return name == c;
  }
  return std::isupper(name) ? !is : is;
}

// `p` at the [, `last` at the ].
bool PatternMatch::in_set(unsigned char c, const char* p, const char* last) {
  bool found = true;
  if (p[1] == '^') {
    found = false;
    ++p;
  }
  while (++p < last) {
    if (*p == '%') {
      ++p;
      if (in_class(c, static_cast<unsigned char>(*p))) return found;
    } else if (p[1] == '-' && p + 2 < last) {
      p += 2;
      if (static_cast<unsigned char>(p[-2]) <= c && c <= static_cast<unsigned char>(*p)) {
        return found;
      }
    } else if (static_cast<unsigned char>(*p) == c) {
      return found;
    }
  }
  return !found;
}

bool PatternMatch::is_single(unsigned char c, const char* p, const char* after) {
  switch (*p) {
    case '.':
      return true;
    case '%':
      return in_class(c, static_cast<unsigned char>(p[1]));
    case '[':
      return in_set(c, p, after - 1);
    default:
      return static_cast<unsigned char>(*p) == c;
  }
}

void PatternMatch::push_capture(int number, const char* start, const char* match_end) {
  if (number >= level_) {
    if (number != 0) luaL_error(lua_, "invalid capture index");
    lua_pushlstring(lua_, start, static_cast<std::size_t>(match_end - start));
    return;
  }
  const Capture& capture = captures_[number];
  if (capture.size == kUnfinished) luaL_error(lua_, "unfinished capture");
  if (capture.size == kPosition) {
    lua_pushinteger(lua_, capture.start - begin_ + 1);
  } else {
    lua_pushlstring(lua_, capture.start, static_cast<std::size_t>(capture.size));
  }
}

int PatternMatch::push_captures(const char* start, const char* match_end) {
  const int count = level_ == 0 && start != nullptr ? 1 : level_;
  luaL_checkstack(lua_, count, "too many captures");
  for (int i = 0; i < count; ++i) push_capture(i, start, match_end);
  return count;
}

}  // namespace slotcar::scripting
