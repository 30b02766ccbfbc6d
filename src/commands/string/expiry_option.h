// EX, PX, EXAT, PXAT, KEEPTTL and PERSIST, as SET, GETEX, SETEX and PSETEX take them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/numbers.h"
#include "base/result.h"
#include "commands/declare.h"

namespace slotcar::commands {

struct ExpiryOption {
  enum class Kind : std::uint8_t { none, ex, px, exat, pxat, keep, persist };
  Kind kind = Kind::none;
  std::string_view operand = {};

  bool has_time() const { return kind >= Kind::ex && kind <= Kind::pxat; }
};

// Takes one of the four times if it comes next. Two different ones are incompatible, and the caller
// refuses them; if the same one is given twice the last counts, as in Redis.
inline bool accept_expiry_time(ArgReader& args, ExpiryOption& option) {
  using Kind = ExpiryOption::Kind;
  const auto accept = [&](std::string_view word, Kind kind) {
    if (option.kind != Kind::none && option.kind != kind) return false;
    if (!args.accept_with(word, 1)) return false;
    option = {kind, args.next()};
    return true;
  };
  return accept("EX", Kind::ex) || accept("PX", Kind::px) || accept("EXAT", Kind::exat) ||
         accept("PXAT", Kind::pxat);
}

// Takes an option without operand, under the same rule.
inline bool accept_expiry_word(ArgReader& args, std::string_view word, ExpiryOption::Kind kind,
                               ExpiryOption& option) {
  if (option.kind != ExpiryOption::Kind::none && option.kind != kind) return false;
  if (!args.accept(word)) return false;
  option.kind = kind;
  return true;
}

inline std::string invalid_expire_time(const Call& call) {
  return "ERR invalid expire time in '" + call.command().lower_name + "' command";
}

// When the key expires, in milliseconds since 1970. A time in the past is allowed; zero, negative
// numbers and overflow are not.
inline Result<UnixMs> expiry_time(const Call& call, const ExpiryOption& option) {
  using Kind = ExpiryOption::Kind;
  const auto number = base::parse_int64(option.operand);
  if (!number) return Error{std::string(schema::kNotInteger)};
  UnixMs when = *number;
  const bool in_seconds = option.kind == Kind::ex || option.kind == Kind::exat;
  const bool from_now = option.kind == Kind::ex || option.kind == Kind::px;
  if (when <= 0 || (in_seconds && __builtin_mul_overflow(when, 1000, &when)) ||
      (from_now && __builtin_add_overflow(when, call.now(), &when))) {
    return Error{invalid_expire_time(call)};
  }
  return when;
}

}  // namespace slotcar::commands
