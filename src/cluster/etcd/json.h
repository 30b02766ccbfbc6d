// Json: a value of an answer of etcd, read with bounds on depth, number of values and length. What
// is missing reads as empty or 0, because etcd omits fields that are: a reader asks for a path and
// need not look whether it is there. 64-bit numbers come as strings, others as numbers; both read
// as numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace slotcar::cluster {

class Json {
 public:
  enum class Kind : std::uint8_t { none, scalar, array, object };

  Kind kind() const { return kind_; }
  bool exists() const { return kind_ != Kind::none; }
  // A field of an object; a value that does not exist otherwise.
  const Json& operator[](std::string_view name) const;
  const std::vector<Json>& items() const { return items_; }  // of an array
  const std::string& text() const { return text_; }          // of a scalar: "true", "12", a string
  std::int64_t number() const;                               // 0: it is none
  bool is_true() const { return text_ == "true"; }

 private:
  friend class JsonReading;

  Kind kind_ = Kind::none;
  std::string text_;
  std::vector<Json> items_;         // of an array, or the values of an object
  std::vector<std::string> names_;  // of an object's fields
};

Result<Json> read_json(std::string_view text);
// As a JSON string, with its quotes.
std::string json_string(std::string_view text);

}  // namespace slotcar::cluster
