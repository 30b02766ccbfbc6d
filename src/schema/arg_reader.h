// ArgReader: reads a command's arguments from left to right, grammar only. The first failure is
// kept and later reads return nothing, so a reader function can run to its end and check once.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/ascii.h"
#include "base/numbers.h"
#include "schema/errors.h"
#include "schema/key_spec.h"

namespace slotcar::schema {

class ArgReader {
 public:
  explicit ArgReader(ArgSpan args, std::size_t from = 1) : args_(args), next_(from) {}

  bool done() const { return next_ >= args_.size() || failed(); }
  std::size_t left() const { return next_ >= args_.size() ? 0 : args_.size() - next_; }
  std::size_t position() const { return next_; }

  std::string_view next() {
    if (left() == 0) {
      fail(kSyntaxError);
      return {};
    }
    return args_[next_++];
  }
  std::string_view peek() const { return left() == 0 ? std::string_view{} : args_[next_]; }
  // Takes the word if it comes next (any case).
  bool accept(std::string_view word) {
    if (left() == 0 || !base::equals_ignoring_case(args_[next_], word)) return false;
    ++next_;
    return true;
  }
  // Takes the word if it comes next and `more` arguments follow it. Redis treats options with
  // operands this way (a missing operand is a syntax error of the word itself).
  bool accept_with(std::string_view word, std::size_t more) {
    return left() > more && accept(word);
  }
  std::int64_t integer(std::string_view error = kNotInteger) {
    const auto value = base::parse_int64(next());
    if (!value) fail(error);
    return value.value_or(0);
  }
  double real(std::string_view error = kNotFloat) {
    const auto value = base::parse_double(next());
    if (!value) fail(error);
    return value.value_or(0);
  }

  // The first failure stays. `error` must outlive the call (a constant).
  void fail(std::string_view error) {
    if (error_.empty()) error_ = error;
  }
  bool failed() const { return !error_.empty(); }
  std::string_view error() const { return error_; }

 private:
  ArgSpan args_;
  std::size_t next_;
  std::string_view error_;
};

}  // namespace slotcar::schema
