// Reply: one answer of a server, RESP2 or RESP3, as a typed value. Conversions are explicit, and
// their errors say what was found; a null is a value of its own, not an empty string.
//
// The two protocols write the same thing differently: a map is a flat array in RESP2, a double a
// string, a boolean an integer; pairs (WITHSCORES, WITHVALUES) are a flat list in RESP2 and arrays
// of two in RESP3. The conversions accept both, so that code does not depend on the connection's
// protocol. `kind`, `items` and `size` show the reply as it came.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slotcar/error.h"

namespace slotcar::client {

struct ReplyBuilder;  // makes them from bytes

class Reply {
 public:
  enum class Kind : std::uint8_t {
    null,
    text,   // a simple string: "OK"
    bytes,  // a bulk or verbatim string
    integer,
    real,
    boolean,
    big_number,  // its digits as text
    array,
    map,  // items: key, value, key, value
    set,
    push,
    error,  // inside an aggregate (EXEC, a pipeline's parts); else it is an Error
  };

  Reply() = default;
  explicit Reply(Kind kind) : kind_(kind) {}
  static Reply of_text(Kind kind, std::string text);
  static Reply of_integer(std::int64_t value);
  static Reply of_real(double value, std::string text);
  static Reply of_boolean(bool value);
  static Reply of_items(Kind kind, std::vector<Reply> items);

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::null; }
  bool is_error() const { return kind_ == Kind::error; }
  bool has_text() const { return kind_ == Kind::bytes || kind_ == Kind::text; }
  bool is_aggregate() const {
    return kind_ == Kind::array || kind_ == Kind::map || kind_ == Kind::set || kind_ == Kind::push;
  }

  // Without conversion: empty if the kind is different.
  const std::string& text() const& { return text_; }
  std::string take_text() { return std::move(text_); }
  std::string&& text() && { return std::move(text_); }
  const std::vector<Reply>& items() const { return items_; }
  std::vector<Reply> take_items() { return std::move(items_); }
  std::size_t size() const { return items_.size(); }
  const Reply& operator[](std::size_t index) const { return items_[index]; }

  // Typed. An error inside an aggregate cannot be converted: it becomes the Error of the result.
  Result<std::string> as_string() const;  // text, bytes, numbers as the server wrote them
  Result<std::optional<std::string>> as_optional_string() const;
  Result<std::int64_t> as_integer() const;  // an integer, or a string that is one
  Result<double> as_double() const;
  Result<bool> as_bool() const;  // true/false, 1/0, OK; null is false (SET NX)
  Status as_ok() const;
  Result<std::vector<std::string>> as_strings() const;  // pairs: one after the other
  Result<std::vector<std::optional<std::string>>> as_optional_strings() const;
  Result<std::map<std::string, std::string>> as_map() const;
  // From a map, or from WITHSCORES and WITHVALUES; in the server's order.
  Result<std::vector<std::pair<std::string, std::string>>> as_pairs() const;
  Result<std::vector<std::pair<std::string, double>>> as_scored() const;

  bool operator==(const Reply& other) const;

  static std::string_view name_of(Kind kind);
  // One line for people: logs and test failures. Errors inside (EXEC) are shown with their index.
  std::string describe() const;

 private:
  friend struct ReplyBuilder;
  Error mismatch(std::string_view wanted) const;
  // True for RESP3's form of a list of pairs.
  bool is_list_of_pairs() const;
  // The elements of pairs one after the other; null if they do not come in pairs.
  std::optional<std::vector<const Reply*>> flat_pairs() const;

  Kind kind_ = Kind::null;
  bool boolean_ = false;
  union {
    std::int64_t integer_ = 0;
    double real_;
  };
  std::string text_;
  std::vector<Reply> items_;
};

}  // namespace slotcar::client
