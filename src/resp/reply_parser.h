// ReplyParser: bytes of a server in, replies out. Incremental and without I/O, for the client
// library and the tests. It trusts the server no more than the server trusts its clients: nothing
// is reserved on the word of a header, and nesting, lines and lengths are bounded.
//
// A reply that arrives in pieces is not parsed again from its beginning: the aggregates under way
// stand on a stack of their own, and only the element that was cut is read anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "resp/value.h"

namespace slotcar::resp {

class ReplyParser {
 public:
  void feed(std::string_view bytes);

  enum class Outcome { value, incomplete, error };
  // Takes the next whole reply. After an error every call says `error`: what follows in the stream
  // can no longer be understood.
  Outcome next(Value& out);
  const std::string& error() const { return error_; }

  std::size_t buffered() const { return buffer_.size() - read_; }

 private:
  // An aggregate whose items are still arriving, or the attributes in front of a value.
  struct Open {
    Value value;
    std::int64_t left = 0;
    bool is_attribute = false;
  };
  // `opened`: what was read begins something whose items follow, or belongs to the next value.
  enum class Step { value, opened, incomplete, error };

  Step read_element(Value& out);
  Step read_line(std::string_view& line);
  Step read_string(char type, std::size_t header_bytes, std::string_view length, Value& out);
  Step open_aggregate(char type, std::string_view count, Value& out);
  Step read_scalar(char type, std::string_view text, Value& out);
  // Puts a finished value where it belongs. True when that is the caller's hands.
  bool place(Value& value);
  Step fail(std::string_view text);

  std::string buffer_;
  std::size_t read_ = 0;
  std::size_t searched_ = 0;  // behind read_, without a line end
  std::vector<Open> open_;
  std::vector<Value> attributes_;  // of the next value, complete
  std::string error_;
};

}  // namespace slotcar::resp
