// The reply part of a transcript: reading it into a tree, and comparing that with a reply.
//
// An array is written as redis-cli prints it, so its structure is in the indexes: a line begins
// with the index of the innermost array that continues, and every further index on it opens an
// array. The index (it is the next one) and, where several could match, the column decide which of
// the open arrays continues; both columns of an index count, so that hand-written files need not
// align
// 9) with 10).
#include <algorithm>

#include "base/glob.h"
#include "base/numbers.h"
#include "resp/format.h"
#include "resp/words.h"
#include "transcripts/transcript.h"

namespace slotcar::transcripts {

using resp::Value;

namespace {

struct Index {
  std::size_t first;  // column of its first digit
  std::size_t paren;  // column of its )
  std::int64_t number;
};

// An index at `column` or after blanks: "12) ". False: there is something else.
bool read_index(const std::string& line, std::size_t& column, Index& index) {
  std::size_t at = column;
  while (at < line.size() && line[at] == ' ') ++at;
  index.first = at;
  index.number = 0;
  while (at < line.size() && line[at] >= '0' && line[at] <= '9' && at - index.first < 9) {
    index.number = index.number * 10 + (line[at++] - '0');
  }
  if (at == index.first || at + 1 >= line.size() || line[at] != ')' || line[at + 1] != ' ') {
    return false;
  }
  index.paren = at;
  column = at + 2;
  return true;
}

// (range LEAST MOST)
Result<Pattern> read_range(const std::string& text) {
  const auto words = resp::split_words(text.substr(1, text.size() - 2));
  Pattern range;
  range.kind = Pattern::Kind::range;
  if (!words || words->size() != 3) return Error{"(range LEAST MOST)"};
  const auto least = base::parse_int64((*words)[1]);
  const auto most = base::parse_int64((*words)[2]);
  if (!least || !most || *most < *least) return Error{"(range LEAST MOST)"};
  range.least = *least;
  range.most = *most;
  return range;
}

Result<Pattern> read_leaf(const std::string& text) {
  Pattern leaf;
  const auto of = [&leaf](Pattern::Kind kind, std::string_view what) {
    leaf.kind = kind;
    leaf.text = what;
    return leaf;
  };
  if (text == "(any)") return of(Pattern::Kind::any, "");
  if (text == "(int)") return of(Pattern::Kind::integer, "");
  if (text == "(nil)") return of(Pattern::Kind::line, text);
  if (text == "(empty array)") return of(Pattern::Kind::array, "");
  if (text.starts_with("(range ") && text.ends_with(")")) return read_range(text);
  if (text.empty()) return Error{"an index without a reply"};
  if (text[0] == '-') return of(Pattern::Kind::error, std::string_view(text).substr(1));
  if (text[0] == '~') return of(Pattern::Kind::glob, std::string_view(text).substr(1));
  if (text[0] == '+' || text[0] == ':') return of(Pattern::Kind::line, text);
  if (text[0] == '"') {
    const auto words = resp::split_words(text);
    if (words && words->size() == 1) return of(Pattern::Kind::line, resp::quote_word((*words)[0]));
  }
  return Error{"not a reply: " + text};
}

// Open arrays. Patterns move while their parents grow, so an open array is identified by its depth
// and found from the root.
// and found from the root.
class TreeReader {
 public:
  Result<Pattern> read(const std::vector<std::string>& lines) {
    root_.kind = Pattern::Kind::array;
    for (const std::string& line : lines) {
      if (Status status = take(line); !status) return status.error();
    }
    return std::move(root_);
  }

 private:
  struct Open {
    Index last;
  };

  Status take(const std::string& line) {
    std::size_t column = 0;
    Index index;
    if (!read_index(line, column, index)) return Error{"an array's line without an index: " + line};
    if (open_.empty()) {
      if (index.number != 1) return Error{"an array begins with 1)"};
      open_.push_back({index});
    } else if (!go_on(index)) {
      return Error{"no array goes on with this index: " + line};
    }
    while (read_index(line, column, index)) {
      if (index.number != 1) return Error{"an array begins with 1): " + line};
      Pattern array;
      array.kind = Pattern::Kind::array;
      innermost().items.push_back(std::move(array));
      open_.push_back({index});
    }
    auto leaf = read_leaf(line.substr(column));
    if (!leaf) return leaf.error();
    innermost().items.push_back(std::move(*leaf));
    return {};
  }

  bool go_on(const Index& index) {
    const auto gap = [](std::size_t a, std::size_t b) { return a > b ? a - b : b - a; };
    std::size_t best = open_.size();
    std::size_t best_gap = 0;
    for (std::size_t i = open_.size(); i-- > 0;) {
      const Index& last = open_[i].last;
      if (last.number + 1 != index.number) continue;
      const std::size_t distance =
          std::min(gap(last.first, index.first), gap(last.paren, index.paren));
      if (best != open_.size() && distance >= best_gap) continue;
      best = i;
      best_gap = distance;
    }
    if (best == open_.size()) return false;
    open_.resize(best + 1);
    open_[best].last = index;
    return true;
  }

  Pattern& innermost() {
    Pattern* pattern = &root_;
    for (std::size_t depth = 1; depth < open_.size(); ++depth) pattern = &pattern->items.back();
    return *pattern;
  }

  Pattern root_;
  std::vector<Open> open_;
};

bool text_of(const Value& value, std::string& text) {
  switch (value.kind) {
    case Value::Kind::simple:
    case Value::Kind::bulk:
    case Value::Kind::verbatim:
    case Value::Kind::real:
    case Value::Kind::big_number:
      text = value.text;
      return true;
    case Value::Kind::integer:
      text = std::to_string(value.integer);
      return true;
    default:
      return false;
  }
}

bool integer_of(const Value& value, std::int64_t& integer) {
  if (value.kind == Value::Kind::boolean) {
    integer = value.boolean ? 1 : 0;
    return true;
  }
  integer = value.integer;
  return value.kind == Value::Kind::integer;
}

// Whether the patterns from `next` on can be matched to different items: an augmenting path for
// each.
bool place(const std::vector<Pattern>& patterns, const std::vector<Value>& items, std::size_t next,
           std::vector<std::size_t>& owner, std::vector<bool>& seen) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (seen[i] || !matches(patterns[next], items[i])) continue;
    seen[i] = true;
    if (owner[i] == patterns.size() || place(patterns, items, owner[i], owner, seen)) {
      owner[i] = next;
      return true;
    }
  }
  return false;
}

bool match_unordered(const std::vector<Pattern>& patterns, const std::vector<Value>& items) {
  std::vector<std::size_t> owner(items.size(), patterns.size());
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    std::vector<bool> seen(items.size(), false);
    if (!place(patterns, items, i, owner, seen)) return false;
  }
  return true;
}

}  // namespace

Result<Pattern> parse_reply(const std::vector<std::string>& lines) {
  if (lines.empty()) return Error{"no reply is given"};
  if (lines[0] == "(unordered)") {
    auto array = parse_reply({lines.begin() + 1, lines.end()});
    if (!array) return array;
    if (array->kind != Pattern::Kind::array) return Error{"(unordered) is for arrays"};
    array->unordered = true;
    return array;
  }
  std::size_t column = 0;
  Index index;
  if (read_index(lines[0], column, index)) return TreeReader().read(lines);
  if (lines.size() > 1) return Error{"more than one reply: " + lines[1]};
  return read_leaf(lines[0]);
}

bool matches(const Pattern& pattern, const Value& value) {
  std::string text;
  std::int64_t integer = 0;
  switch (pattern.kind) {
    case Pattern::Kind::any:
      return true;
    case Pattern::Kind::line:
      return !value.is_aggregate() && resp::format(value) == pattern.text;
    case Pattern::Kind::error:
      // An error's own text may hold brackets and the like: it matches itself first of all.
      return value.is_error() &&
             (value.text == pattern.text || base::glob_match(pattern.text, value.text));
    case Pattern::Kind::glob:
      return text_of(value, text) && base::glob_match(pattern.text, text);
    case Pattern::Kind::integer:
      return integer_of(value, integer);
    case Pattern::Kind::range:
      return integer_of(value, integer) && pattern.least <= integer && integer <= pattern.most;
    case Pattern::Kind::array:
      break;
  }
  if (!value.is_aggregate() || value.items.size() != pattern.items.size()) return false;
  if (pattern.unordered) return match_unordered(pattern.items, value.items);
  return std::equal(pattern.items.begin(), pattern.items.end(), value.items.begin(), matches);
}

}  // namespace slotcar::transcripts
