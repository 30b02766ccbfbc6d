#include "schema/key_spec.h"

#include <cstdint>
#include <optional>

#include "base/ascii.h"
#include "base/numbers.h"

namespace slotcar::schema {
namespace {

// Arguments come from anywhere, so all positions are computed in 64 bits, where the sum of an
// argument count and a spec's numbers cannot overflow.
using Position = std::int64_t;

Position size_of(ArgSpan args) {
  return static_cast<Position>(args.size());
}

// Where the keyword's operands begin. Redis searches forward from a positive start, and backward
// from a negative one, which counts from the end.
std::optional<Position> after_keyword(const KeySpec& spec, ArgSpan args) {
  const Position count = size_of(args);
  const bool forward = spec.index > 0;
  const Position start = forward ? spec.index : count + spec.index;
  const Position step = forward ? 1 : -1;
  for (Position i = start; i >= 1 && i < count; i += step) {
    if (base::equals_ignoring_case(args[static_cast<std::size_t>(i)], spec.keyword)) return i + 1;
  }
  return std::nullopt;
}

struct Stretch {
  Position first;
  Position last;  // before `first`: no keys at all
};

Stretch range_from(const KeySpec& spec, Position first, Position count) {
  if (spec.last >= 0) return {first, first + spec.last};
  if (spec.limit <= 1) return {first, count + spec.last};
  return {first, first + (count - first) / spec.limit + spec.last};
}

// Nothing if the key count is not a number, is negative, or exceeds the arguments that follow.
std::optional<Stretch> counted_from(const KeySpec& spec, Position begin, ArgSpan args) {
  const Position count = size_of(args);
  const Position number_at = begin + spec.count_at;
  if (number_at >= count) return std::nullopt;
  const auto number = base::parse_int64(args[static_cast<std::size_t>(number_at)]);
  if (!number || *number < 0 || *number > count) return std::nullopt;
  const Position first = begin + spec.first;
  return Stretch{first, first + (*number - 1) * spec.step};
}

bool find_one(const KeySpec& spec, ArgSpan args, void* sink, KeyEmit emit) {
  if (spec.find == KeySpec::Find::function) {
    // Without a function it only says that there may be keys that cannot be computed (SORT BY).
    return spec.finder == nullptr || spec.finder(args, sink, emit);
  }

  Position begin = spec.index;
  if (spec.begin == KeySpec::Begin::keyword) {
    // A missing keyword is an unused option (GEORADIUS without STORE). Where it is required the
    // command's own grammar reports the error.
    const auto found = after_keyword(spec, args);
    if (!found) return true;
    begin = *found;
  }
  const Position count = size_of(args);
  if (begin < 1 || begin >= count) return false;

  Stretch stretch{};
  if (spec.find == KeySpec::Find::counted) {
    const auto counted = counted_from(spec, begin, args);
    if (!counted) return false;
    if (counted->last < counted->first) return true;  // EVAL script 0
    stretch = *counted;
  } else {
    stretch = range_from(spec, begin, count);
  }
  if (stretch.last < stretch.first || stretch.last >= count || spec.step < 1) return false;
  for (Position i = stretch.first; i <= stretch.last; i += spec.step) {
    emit(sink, static_cast<std::size_t>(i), spec.use);
  }
  return true;
}

}  // namespace

bool find_keys(const KeySpecs& specs, ArgSpan args, void* sink, KeyEmit emit) {
  for (const KeySpec& spec : specs.list()) {
    if (!find_one(spec, args, sink, emit)) return false;
  }
  return true;
}

}  // namespace slotcar::schema
