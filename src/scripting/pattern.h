// PatternMatch: Lua's patterns (%a+, [^,]*, (.-)=(%d+), %b(), ...), matched against one subject.
// The meaning is Lua 5.1's. Unlike the library of Lua itself it bounds the depth of its recursion
// and looks, in a match that takes long, whether the script has to stop.
#pragma once

#include <cstddef>
#include <string_view>

#include "scripting/lua.h"

namespace slotcar::scripting {

class PatternMatch {
 public:
  // A pattern ends at its first zero byte (%z stands for one). Both texts stay on Lua's stack,
  // where a zero byte follows them, while this object lives.
  PatternMatch(lua_State* lua, std::string_view subject, std::string_view pattern);

  // Matches at exactly this place of the subject. Returns the end of the match, or null.
  const char* match_at(const char* start);
  const char* subject_begin() const { return begin_; }
  const char* subject_end() const { return end_; }

  // Pushes what the last match captured and says how many that are. Without captures: the whole
  // match, or nothing if `start` is null.
  int push_captures(const char* start, const char* match_end);
  void push_capture(int number, const char* start, const char* match_end);

 private:
  static constexpr int kCapturesMax = 32;
  static constexpr std::ptrdiff_t kUnfinished = -1;
  static constexpr std::ptrdiff_t kPosition = -2;
  struct Capture {
    const char* start;
    std::ptrdiff_t size;
  };

  const char* match(const char* s, const char* p);
  const char* match_steps(const char* s, const char* p);
  // %b, %f, %1: moves both on and says yes, or the match has failed.
  enum class Special { no, matched, failed };
  Special match_special(const char*& s, const char*& p);
  const char* expand_most(const char* s, const char* p, const char* after);
  const char* expand_least(const char* s, const char* p, const char* after);
  const char* open_capture(const char* s, const char* p, std::ptrdiff_t size);
  const char* close_capture(const char* s, const char* p);
  const char* match_balanced(const char* s, const char* p);
  const char* match_again(const char* s, char digit);
  const char* class_end(const char* p);
  static bool in_class(unsigned char c, unsigned char name);
  static bool in_set(unsigned char c, const char* p, const char* last);
  static bool is_single(unsigned char c, const char* p, const char* after);
  void count_step();

  lua_State* lua_;
  const char* begin_;
  const char* end_;
  const char* pattern_;
  const char* pattern_end_;
  int level_ = 0;
  int depth_ = 0;
  unsigned steps_ = 0;
  Capture captures_[kCapturesMax];
};

}  // namespace slotcar::scripting
