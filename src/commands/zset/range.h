// Ranges of sorted sets: their grammar, and the ranks that they select. Every command on a range
// works on ranks: finding the rank of a bound is cheap in both encodings of a sorted set.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/numbers.h"
#include "commands/zset/sorted_set_value.h"

namespace slotcar::commands {

// Elements of neighbouring ranks, [from, to).
struct Ranks {
  std::size_t from = 0;
  std::size_t to = 0;
  std::size_t count() const { return to - from; }
  static Ranks between(std::size_t from, std::size_t to) {
    return from < to ? Ranks{from, to} : Ranks{};
  }
};

// --- by index: 0 is the first, -1 the last ------------------------------------------------------

struct IndexRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};
inline IndexRange read_index_range(ArgReader& args) {
  IndexRange range;
  range.first = args.integer();
  range.last = args.integer();
  return range;
}
inline Ranks ranks_of(const IndexRange& range, std::size_t size) {
  const auto count = static_cast<std::int64_t>(size);
  std::int64_t first = range.first;
  std::int64_t last = range.last;
  if (first < 0) first = std::max<std::int64_t>(first + count, 0);
  if (last < 0) last += count;
  last = std::min(last, count - 1);
  if (first > last) return {};
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(last + 1)};
}

// --- by score: 5, (5, -inf ----------------------------------------------------------------------

struct ScoreRange {
  types::ScoreCut from;
  types::ScoreCut to;
};
inline constexpr std::string_view kNoScoreRange = "ERR min or max is not a float";

// As strtod reads it: more spellings than a score may have.
inline bool read_score_bound(std::string_view text, double& value) {
  if (const auto number = base::parse_double(text)) {
    value = *number;
    return true;
  }
  const std::string copy(text);
  char* stop = nullptr;
  value = std::strtod(copy.c_str(), &stop);
  return *stop == '\0' && !std::isnan(value);
}
inline types::ScoreCut read_score_cut(ArgReader& args, bool is_upper) {
  std::string_view text = args.next();
  const bool exclusive = text.starts_with('(');
  if (exclusive) text.remove_prefix(1);
  types::ScoreCut cut;
  if (!read_score_bound(text, cut.score)) args.fail(kNoScoreRange);
  cut.after = is_upper != exclusive;
  return cut;
}
// `reversed`: the upper bound comes first.
inline ScoreRange read_score_range(ArgReader& args, bool reversed = false) {
  ScoreRange range;
  types::ScoreCut& first = reversed ? range.to : range.from;
  types::ScoreCut& second = reversed ? range.from : range.to;
  first = read_score_cut(args, reversed);
  second = read_score_cut(args, !reversed);
  return range;
}
inline Ranks ranks_of(const ScoreRange& range, const types::SortedSetView& view) {
  return Ranks::between(view.rank_of(range.from), view.rank_of(range.to));
}

// --- by member: [abc, (abc, -, + ----------------------------------------------------------------

struct MemberRange {
  types::MemberCut from;
  types::MemberCut to;
};
inline constexpr std::string_view kNoMemberRange = "ERR min or max not valid string range item";

inline types::MemberCut read_member_cut(ArgReader& args, bool is_upper) {
  using Kind = types::MemberCut::Kind;
  const std::string_view text = args.next();
  if (text == "-") return {.kind = Kind::lowest};
  if (text == "+") return {.kind = Kind::highest};
  const bool exclusive = text.starts_with('(');
  if (!exclusive && !text.starts_with('[')) {
    args.fail(kNoMemberRange);
    return {};
  }
  return {.kind = Kind::at, .member = text.substr(1), .after = is_upper != exclusive};
}
inline MemberRange read_member_range(ArgReader& args, bool reversed = false) {
  MemberRange range;
  types::MemberCut& first = reversed ? range.to : range.from;
  types::MemberCut& second = reversed ? range.from : range.to;
  first = read_member_cut(args, reversed);
  second = read_member_cut(args, !reversed);
  return range;
}
inline Ranks ranks_of(const MemberRange& range, const types::SortedSetView& view) {
  return Ranks::between(view.rank_of(range.from), view.rank_of(range.to));
}

// --- ZRANGE and its relatives -------------------------------------------------------------------

struct RangeRequest {
  enum class By : std::uint8_t { index, score, member } by = By::index;
  bool reversed = false;
  bool with_scores = false;
  std::int64_t offset = 0;
  std::int64_t limit = -1;  // < 0: none
  IndexRange indexes;
  ScoreRange scores;
  MemberRange members;

  // The selected elements. The reply has them backwards if `reversed`.
  Ranks ranks(const types::SortedSetView& view) const;
};

// The part of the grammar that is fixed by the command's name.
struct RangeForm {
  bool may_choose = false;  // ZRANGE: BYSCORE, BYLEX and REV are options
  RangeRequest::By by = RangeRequest::By::index;
  bool reversed = false;
  bool stores = false;  // the reply has no scores
};

inline constexpr std::string_view kLimitNeedsBounds =
    "ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX";
inline constexpr std::string_view kNoScoresByMember =
    "ERR syntax error, WITHSCORES not supported in combination with BYLEX";

inline void read_range_options(ArgReader& args, const RangeForm& form, RangeRequest& request) {
  bool by_known = !form.may_choose;
  bool direction_known = !form.may_choose;
  while (!args.done()) {
    if (!form.stores && args.accept("WITHSCORES")) {
      request.with_scores = true;
    } else if (args.accept_with("LIMIT", 2)) {
      request.offset = args.integer();
      request.limit = args.integer();
    } else if (!direction_known && args.accept("REV")) {
      request.reversed = direction_known = true;
    } else if (!by_known && args.accept("BYLEX")) {
      request.by = RangeRequest::By::member;
      by_known = true;
    } else if (!by_known && args.accept("BYSCORE")) {
      request.by = RangeRequest::By::score;
      by_known = true;
    } else {
      args.fail(schema::kSyntaxError);
    }
  }
  if (request.limit != -1 && request.by == RangeRequest::By::index) args.fail(kLimitNeedsBounds);
  if (request.with_scores && request.by == RangeRequest::By::member) args.fail(kNoScoresByMember);
}

// min max [options]. The options are read first: they say what the bounds are.
inline RangeRequest read_range(ArgReader& args, schema::ArgSpan all, const RangeForm& form) {
  RangeRequest request;
  request.by = form.by;
  request.reversed = form.reversed;
  ArgReader bounds(all, args.position());
  args.next();
  args.next();
  read_range_options(args, form, request);
  if (args.failed()) return request;
  switch (request.by) {
    case RangeRequest::By::index:
      request.indexes = read_index_range(bounds);
      break;
    case RangeRequest::By::score:
      request.scores = read_score_range(bounds, request.reversed);
      break;
    case RangeRequest::By::member:
      request.members = read_member_range(bounds, request.reversed);
      break;
  }
  if (bounds.failed()) args.fail(bounds.error());
  return request;
}

inline Ranks RangeRequest::ranks(const types::SortedSetView& view) const {
  Ranks found;
  if (by == By::index) {
    const std::size_t size = view.size();
    found = ranks_of(indexes, size);
    return reversed ? Ranks::between(size - found.to, size - found.from) : found;
  }
  found = by == By::score ? ranks_of(scores, view) : ranks_of(members, view);
  // A negative offset is beyond every end; a negative limit is none.
  if (offset < 0 || static_cast<std::uint64_t>(offset) >= found.count()) return {};
  const auto skipped = static_cast<std::size_t>(offset);
  std::size_t count = found.count() - skipped;
  if (limit >= 0) count = std::min(count, static_cast<std::size_t>(limit));
  return reversed ? Ranks{found.to - skipped - count, found.to - skipped}
                  : Ranks{found.from + skipped, found.from + skipped + count};
}

}  // namespace slotcar::commands
