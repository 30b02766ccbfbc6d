// LCS key1 key2 [LEN] [IDX] [MINMATCHLEN min-match-len] [WITHMATCHLEN]
//
// The longest common subsequence by the usual table, row by row. Only two things of the table are
// kept: the present row of lengths, and one bit per cell that says which way the best path goes
// where the bytes differ. That is a thirtieth of a whole table of lengths. Redis's limit for that
// whole table (proto-max-bulk-len) is the bound here, too: it bounds the time as well.
#include <algorithm>
#include <string>
#include <vector>

#include "commands/string/string_value.h"

namespace slotcar::commands {
namespace {

constexpr std::string_view kNoStrings = "ERR The specified keys must contain string values";
constexpr std::string_view kLengthAndIndexes =
    "ERR If you want both the length and indexes, please just use IDX.";
constexpr std::string_view kTooLong = "ERR String too long for LCS";
constexpr std::string_view kTooMuchMemory =
    "ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len";

// Tables up to this many cells take some 50 us, and are filled on the worker.
constexpr std::uint64_t kQuickCellsMax = 64 * 1024;

struct Options {
  bool length = false;
  bool indexes = false;
  bool with_match_length = false;
  std::int64_t match_length_min = 0;
};

struct Pinned final : shard::CallState {
  Options options;
  base::SharedBytes a;
  base::SharedBytes b;
};

Options read(ArgReader& args) {
  Options options;
  while (!args.done()) {
    if (args.accept("LEN")) {
      options.length = true;
    } else if (args.accept("IDX")) {
      options.indexes = true;
    } else if (args.accept("WITHMATCHLEN")) {
      options.with_match_length = true;
    } else if (args.accept_with("MINMATCHLEN", 1)) {
      options.match_length_min = args.integer();
    } else {
      args.fail(schema::kSyntaxError);
    }
  }
  if (options.length && options.indexes) args.fail(kLengthAndIndexes);
  return options;
}

// Stretches of bytes that are in both strings: [a, a + size) and [b, b + size).
struct Match {
  std::int64_t a;
  std::int64_t b;
  std::int64_t size;
};

class Table {
 public:
  Table(std::string_view a, std::string_view b, bool with_path) : a_(a), b_(b) {
    row_.resize(b.size() + 1);
    if (with_path) goes_up_.resize(a.size() * b.size());
    for (std::size_t i = 0; i < a.size(); ++i) with_path ? fill<true>(i) : fill<false>(i);
  }

  std::int64_t length() const { return row_.back(); }

  // The matches from the end of the strings to their beginning.
  std::vector<Match> matches() const {
    std::vector<Match> found;
    bool in_match = false;
    std::size_t i = a_.size();
    std::size_t j = b_.size();
    while (i > 0 && j > 0) {
      if (a_[i - 1] == b_[j - 1]) {
        --i;
        --j;
        if (!in_match) found.push_back({0, 0, 0});
        found.back() = {static_cast<std::int64_t>(i), static_cast<std::int64_t>(j),
                        found.back().size + 1};
        in_match = true;
      } else {
        goes_up_[(i - 1) * b_.size() + (j - 1)] ? --i : --j;
        in_match = false;
      }
    }
    return found;
  }

 private:
  template <bool kWithPath>
  void fill(std::size_t i) {
    std::uint32_t diagonal = 0;
    std::uint32_t left = 0;
    for (std::size_t j = 0; j < b_.size(); ++j) {
      const std::uint32_t up = row_[j + 1];
      if (a_[i] == b_[j]) {
        left = diagonal + 1;
      } else if (up > left) {
        left = up;
        if constexpr (kWithPath) goes_up_[i * b_.size() + j] = true;
      }
      diagonal = up;
      row_[j + 1] = left;
    }
  }

  std::string_view a_;
  std::string_view b_;
  std::vector<std::uint32_t> row_;
  std::vector<bool> goes_up_;
};

void reply_matches(resp::ReplyWriter& reply, const Options& options, const Table& table) {
  std::vector<Match> matches = table.matches();
  std::erase_if(matches, [&](const Match& m) { return m.size < options.match_length_min; });
  reply.map(2);
  reply.bulk("matches");
  reply.array(matches.size());
  for (const Match& match : matches) {
    reply.array(options.with_match_length ? 3 : 2);
    for (const std::int64_t start : {match.a, match.b}) {
      reply.array(2);
      reply.integer(start);
      reply.integer(start + match.size - 1);
    }
    if (options.with_match_length) reply.integer(match.size);
  }
  reply.bulk("len");
  reply.integer(table.length());
}

void compare(Call& call, const Options& options, std::string_view a, std::string_view b) {
  const Table table(a, b, !options.length);
  if (options.length) return call.reply().integer(table.length());
  if (options.indexes) return reply_matches(call.reply(), options, table);
  std::string text;
  const std::vector<Match> matches = table.matches();
  for (auto match = matches.rbegin(); match != matches.rend(); ++match) {
    text.append(a, static_cast<std::size_t>(match->a), static_cast<std::size_t>(match->size));
  }
  call.reply().bulk(text);
}

void compare_pinned(Call& call) {
  const auto& pinned = call.state<Pinned>();
  compare(call, pinned.options, pinned.a.view(), pinned.b.view());
}

base::SharedBytes pin(const types::StringRef& value) {
  if (value.form == types::StringRef::Form::shared) return base::SharedBytes::share(value.buffer);
  types::StringRef::Scratch scratch;
  return base::SharedBytes::copy_of(value.view(scratch), nullptr);
}

// The table takes one bit per cell. This test allocation is freed at once: it only shows that there
// is enough memory, and the bound above, which counts four bytes per cell as Redis does, keeps it
// small.
bool has_memory_for(std::uint64_t cells) {
  const std::uint64_t bytes = cells / 8;
  if (bytes < limits::kTriedBytesMin) return true;
  return static_cast<bool>(base::SharedBytes::try_allocate(bytes, nullptr));
}

void lcs(Call& call) {
  ArgReader args(call.args(), 3);
  const Options options = read(args);
  if (args.failed()) return call.reply().error(args.error());

  const Entry* entries[2] = {call.find(0), call.find(1)};
  types::StringRef values[2];
  for (int i = 0; i < 2; ++i) {
    if (entries[i] == nullptr) continue;
    if (!entries[i]->is_string()) return call.reply().error(kNoStrings);
    values[i] = entries[i]->string();
  }
  const std::uint64_t sizes[2] = {values[0].size(), values[1].size()};
  if (std::max(sizes[0], sizes[1]) >= UINT32_MAX - 1) return call.reply().error(kTooLong);
  const std::uint64_t cells = (sizes[0] + 1) * (sizes[1] + 1);
  const auto bytes_max = static_cast<std::uint64_t>(call.settings().bulk_bytes_max.get());
  if (cells > bytes_max / sizeof(std::uint32_t) || !has_memory_for(cells)) {
    return call.reply().error(kTooMuchMemory);
  }

  if (cells <= kQuickCellsMax) {
    types::StringRef::Scratch scratch[2];
    return compare(call, options, values[0].view(scratch[0]), values[1].view(scratch[1]));
  }
  auto& pinned = call.state<Pinned>();
  pinned.options = options;
  pinned.a = pin(values[0]);
  pinned.b = pin(values[1]);
  call.finish_without_tokens(compare_pinned);
}

}  // namespace

extern constinit const Command string_lcs{
    .name = "LCS",
    .summary = "Finds the longest common subsequence of two strings.",
    .since = "7.0.0",
    .complexity = "O(N*M) with N and M the lengths of the two strings.",
    .syntax = "key1 key2 [LEN] [IDX] [MINMATCHLEN len] [WITHMATCHLEN]",
    .group = Group::string,
    .arity = at_least(3),
    .keys = keys(1, 2, 1, KeyUse::ro | KeyUse::access),
    .access = Access::readonly,
    .acl = Acl::string,
    .runs = on_keys(lcs),
    .when_large = WhenLarge::pin_and_answer,
};

}  // namespace slotcar::commands
