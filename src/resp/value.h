// Value: one reply of a server as a tree, RESP2 or RESP3.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace slotcar::resp {

struct Value {
  enum class Kind : std::uint8_t {
    null,        // $-1 *-1 _
    simple,      // +text
    error,       // -text, !n
    integer,     // :n
    bulk,        // $n
    array,       // *n
    map,         // %n, its items key, value, key, value
    set,         // ~n
    push,        // >n
    boolean,     // #t #f
    real,        // ,n
    big_number,  // (n
    verbatim,    // =n, its text without the format
  };

  Kind kind = Kind::null;
  bool boolean = false;
  std::int64_t integer = 0;
  double real = 0;
  std::string text;    // of what is written as text; of a real as the server wrote it
  std::string format;  // "txt" or "mkd" of a verbatim string
  std::vector<Value> items;
  std::vector<Value> attributes;  // |n before this value: key, value, key, value

  bool is_aggregate() const {
    return kind == Kind::array || kind == Kind::map || kind == Kind::set || kind == Kind::push;
  }
  bool is_error() const { return kind == Kind::error; }
  bool is_null() const { return kind == Kind::null; }

  bool operator==(const Value&) const = default;
};

}  // namespace slotcar::resp
