// BasicReplyParser: bytes of a server in, replies out. Incremental and without I/O, for the client
// library and the tests. It does not trust the server: no memory is reserved just because a header
// claims a size, and nesting, lines and lengths are bounded.
//
// A reply that arrives in pieces is not parsed again from its beginning: the unfinished aggregates
// are on a stack of their own, and only the element that was cut is parsed again.
//
// The builder decides what is built, so that no caller has to convert one kind of tree into
// another. A builder has a type Tree and these functions:
//   text(Tree&, char type, string_view)            + - ( $ ! and = without its format
//   format(Tree&, string_view)                     of what begins with =
//   integer(Tree&, int64_t)  real(Tree&, double, string_view as written)  boolean(Tree&, bool)
//   aggregate(Tree&, char type)                    * % ~ >
//   items(Tree&) -> vector<Tree>&
//   attributes(Tree&, vector<Tree>&&)              of a value that has some
// A Tree that no function was called on is a null.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/numbers.h"

namespace slotcar::resp {

template <class Builder>
class BasicReplyParser {
 public:
  using Tree = typename Builder::Tree;

  void feed(std::string_view bytes);

  enum class Outcome { value, incomplete, error };
  // Takes the next whole reply. After an error every call says `error`: what follows in the stream
  // can no longer be understood.
  Outcome next(Tree& out);
  const std::string& error() const { return error_; }

  std::size_t buffered() const { return buffer_.size() - read_; }

 private:
  // Bytes already parsed are dropped when there are at least this many and more than half of all.
  static constexpr std::size_t kCompactBytes = 64 * 1024;
  // Room is reserved for as many items as the received bytes can hold, and no more than this.
  static constexpr std::size_t kReservedItemsMax = 1024;
  static constexpr std::size_t kItemBytesMin = 4;
  static constexpr std::string_view kLineEnd = "\r\n";

  // An aggregate whose items are still arriving, or the attributes in front of a value.
  struct Open {
    Tree value;
    std::int64_t left = 0;
    bool is_attribute = false;
  };
  // `opened`: what was read begins something whose items follow, or belongs to the next value.
  enum class Step { value, opened, incomplete, error };

  Step read_element(Tree& out);
  Step read_line(std::string_view& line);
  Step read_string(char type, std::size_t header_bytes, std::string_view length, Tree& out);
  Step open_aggregate(char type, std::string_view count, Tree& out);
  Step read_scalar(char type, std::string_view text, Tree& out);
  // Puts a finished value where it belongs. True when it is a whole reply for the caller.
  bool place(Tree& value);
  void give_attributes(Tree& value) {
    if (!attributes_.empty()) Builder::attributes(value, std::exchange(attributes_, {}));
  }
  Step fail(std::string_view text);

  static bool is_big_number(std::string_view text) {
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  }

  std::string buffer_;
  std::size_t read_ = 0;
  std::size_t searched_ = 0;  // behind read_, without a line end
  std::vector<Open> open_;
  std::vector<Tree> attributes_;  // of the next value, complete
  std::string error_;
};

template <class Builder>
void BasicReplyParser<Builder>::feed(std::string_view bytes) {
  if (read_ == buffer_.size()) {
    buffer_.clear();
    read_ = 0;
  } else if (read_ >= kCompactBytes && read_ > buffer_.size() / 2) {
    buffer_.erase(0, read_);
    read_ = 0;
  }
  buffer_.append(bytes);
}

template <class Builder>
auto BasicReplyParser<Builder>::next(Tree& out) -> Outcome {
  if (!error_.empty()) return Outcome::error;
  for (;;) {
    Tree value;
    switch (read_element(value)) {
      case Step::incomplete:
        return Outcome::incomplete;
      case Step::error:
        return Outcome::error;
      case Step::opened:
        break;
      case Step::value:
        if (place(value)) {
          out = std::move(value);
          return Outcome::value;
        }
        break;
    }
  }
}

// Closes, one after the other, all aggregates that this value completes.
template <class Builder>
bool BasicReplyParser<Builder>::place(Tree& value) {
  while (!open_.empty()) {
    Open& parent = open_.back();
    Builder::items(parent.value).push_back(std::move(value));
    if (--parent.left > 0) return false;
    Open done = std::move(parent);
    open_.pop_back();
    if (done.is_attribute) {
      attributes_ = std::move(Builder::items(done.value));
      return false;
    }
    value = std::move(done.value);
  }
  return true;
}

template <class Builder>
auto BasicReplyParser<Builder>::read_element(Tree& out) -> Step {
  std::string_view line;
  const Step step = read_line(line);
  if (step != Step::value) return step;
  if (line.empty()) return fail("a reply begins with an empty line");
  const char type = line[0];
  const std::string_view rest = line.substr(1);
  const std::size_t header_bytes = line.size() + kLineEnd.size();
  switch (type) {
    case '$':
    case '!':
    case '=':
      return read_string(type, header_bytes, rest, out);
    case '*':
    case '%':
    case '~':
    case '>':
    case '|':
      read_ += header_bytes;
      return open_aggregate(type, rest, out);
    default:
      read_ += header_bytes;
      return read_scalar(type, rest, out);
  }
}

// On `value` the line is there; it counts as read only when the caller moves `read_`.
template <class Builder>
auto BasicReplyParser<Builder>::read_line(std::string_view& line) -> Step {
  const std::string_view rest = std::string_view(buffer_).substr(read_);
  const std::size_t length = rest.find('\r', searched_);
  if (length > limits::kReplyLineBytesMax && rest.size() > limits::kReplyLineBytesMax) {
    return fail("a line is too long");
  }
  if (length == std::string_view::npos) {
    searched_ = rest.size();
    return Step::incomplete;
  }
  if (length + 1 == rest.size()) return Step::incomplete;
  if (rest[length + 1] != '\n') return fail("a line does not end with CR LF");
  line = rest.substr(0, length);
  searched_ = 0;
  return Step::value;
}

template <class Builder>
auto BasicReplyParser<Builder>::read_string(char type, std::size_t header_bytes,
                                            std::string_view length, Tree& out) -> Step {
  const auto size = base::parse_int64(length);
  const bool null = type == '$' && size == -1;
  if (!size || (*size < 0 && !null) || *size > limits::kReplyBulkBytesMax) {
    return fail("invalid length of a string");
  }
  if (!null) {
    const std::string_view rest = std::string_view(buffer_).substr(read_ + header_bytes);
    const auto bytes = static_cast<std::size_t>(*size);
    if (rest.size() < bytes + kLineEnd.size()) return Step::incomplete;
    if (rest.substr(bytes, kLineEnd.size()) != kLineEnd) {
      return fail("a string does not end with CR LF");
    }
    std::string_view text = rest.substr(0, bytes);
    if (type == '=') {
      if (bytes < 4 || text[3] != ':') return fail("a verbatim string has no format");
      Builder::format(out, text.substr(0, 3));
      text.remove_prefix(4);
    }
    Builder::text(out, type, text);
    read_ += bytes + kLineEnd.size();
  }
  read_ += header_bytes;
  give_attributes(out);
  return Step::value;
}

template <class Builder>
auto BasicReplyParser<Builder>::open_aggregate(char type, std::string_view count, Tree& out)
    -> Step {
  const auto number = base::parse_int64(count);
  const bool null = type == '*' && number == -1;
  if (!number || (*number < 0 && !null) || *number > limits::kReplyCountMax) {
    return fail("invalid count of an aggregate");
  }
  Open opened;
  opened.is_attribute = type == '|';
  opened.left = type == '%' || type == '|' ? *number * 2 : *number;
  if (opened.is_attribute) {
    if (opened.left == 0) return Step::opened;
    // Several attributes before one value count as one.
    Builder::items(opened.value) = std::exchange(attributes_, {});
  } else {
    if (!null) Builder::aggregate(opened.value, type);
    give_attributes(opened.value);
    if (opened.left <= 0) {
      out = std::move(opened.value);
      return Step::value;
    }
    Builder::items(opened.value)
        .reserve(std::min({static_cast<std::size_t>(opened.left), buffered() / kItemBytesMin,
                           kReservedItemsMax}));
  }
  if (open_.size() >= limits::kReplyDepthMax) return fail("aggregates are nested too deep");
  open_.push_back(std::move(opened));
  return Step::opened;
}

template <class Builder>
auto BasicReplyParser<Builder>::read_scalar(char type, std::string_view text, Tree& out) -> Step {
  give_attributes(out);
  switch (type) {
    case '+':
    case '-':
      Builder::text(out, type, text);
      return Step::value;
    case ':': {
      const bool plus = text.starts_with('+') && !text.starts_with("+-");
      const auto number = base::parse_int64(plus ? text.substr(1) : text);
      if (!number) return fail("invalid integer");
      Builder::integer(out, *number);
      return Step::value;
    }
    case '_':
      if (!text.empty()) return fail("invalid null");
      return Step::value;
    case '#':
      if (text != "t" && text != "f") return fail("invalid boolean");
      Builder::boolean(out, text == "t");
      return Step::value;
    case ',': {
      const bool nan = text == "nan" || text == "-nan";
      const auto number = nan ? std::numeric_limits<double>::quiet_NaN() : base::parse_double(text);
      if (!number) return fail("invalid double");
      Builder::real(out, *number, text);
      return Step::value;
    }
    case '(':
      if (!is_big_number(text)) return fail("invalid big number");
      Builder::text(out, type, text);
      return Step::value;
    default:
      return fail("a reply begins with an unknown type");
  }
}

template <class Builder>
auto BasicReplyParser<Builder>::fail(std::string_view text) -> Step {
  error_ = "Protocol error: ";
  error_ += text;
  open_.clear();
  attributes_.clear();
  return Step::error;
}

}  // namespace slotcar::resp
