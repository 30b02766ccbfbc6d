// BoundedText: a string that a library function builds. It may grow to
// limits::kScriptStringBytesMax; beyond that the script gets Lua's error for too little memory.
#pragma once

#include <string>
#include <string_view>

#include "base/limits.h"
#include "scripting/interpreter.h"
#include "scripting/lua.h"

namespace slotcar::scripting {

class BoundedText {
 public:
  explicit BoundedText(lua_State* lua) : lua_(lua) {}

  void append(std::string_view bytes) {
    make_room(bytes.size());
    text_.append(bytes);
  }
  void append(char byte) {
    make_room(1);
    text_.push_back(byte);
  }
  void append(std::size_t count, char byte) {
    make_room(count);
    text_.append(count, byte);
  }
  void push() const { scripting::push(lua_, text_); }
  std::size_t size() const { return text_.size(); }
  std::string_view view() const { return text_; }
  void clear() { text_.clear(); }

 private:
  void make_room(std::size_t bytes) {
    if (bytes > limits::kScriptStringBytesMax - text_.size()) {
      luaL_error(lua_, "not enough memory");
    }
    uncounted_ += bytes;
    if (uncounted_ > kCountedAtOnce) [[unlikely]]
      count();
  }
  // Not inlined: encoders are thousands of levels deep, and their frames have to be small.
  [[gnu::noinline]] void count() {
    const std::size_t bytes = uncounted_;
    uncounted_ = 0;
    Interpreter::of(lua_).count_bytes(lua_, bytes);
  }

  static constexpr std::size_t kCountedAtOnce = 16 * 1024;

  lua_State* lua_;
  std::string text_;
  std::size_t uncounted_ = 0;  // bytes that the interpreter has still to count
};

}  // namespace slotcar::scripting
