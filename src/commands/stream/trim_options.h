// MAXLEN | MINID [= | ~] threshold [LIMIT count], as XADD and XTRIM take them.
#pragma once

#include "commands/stream/stream_words.h"

namespace slotcar::commands {

class TrimOptions {
 public:
  // Takes a trimming option if one comes next. False: there is none.
  bool accept(ArgReader& args) {
    if (args.accept_with("MAXLEN", 1)) {
      begin(args, types::StreamTrim::By::length);
      const std::int64_t length = args.integer();
      if (length < 0) args.fail("ERR The MAXLEN argument must be >= 0.");
      trim_.max_length = static_cast<std::uint64_t>(length);
      return true;
    }
    if (args.accept_with("MINID", 1)) {
      begin(args, types::StreamTrim::By::id);
      trim_.min_id = stream_id(args);
      return true;
    }
    if (args.accept_with("LIMIT", 1)) {
      const std::int64_t limit = args.integer();
      if (limit < 0) args.fail("ERR The LIMIT argument must be >= 0.");
      trim_.limit = static_cast<std::uint64_t>(limit);
      limited_ = true;
      return true;
    }
    return false;
  }

  // When all options are read: checks that they are compatible, and sets defaults.
  void settle(ArgReader& args, const types::Settings& settings) {
    if (trim_.limit != 0 && !given()) {
      args.fail("ERR syntax error, LIMIT cannot be used without specifying a trimming strategy");
    }
    if (limited_ && !trim_.whole_leaves) {
      args.fail("ERR syntax error, LIMIT cannot be used without the special ~ option");
    }
    if (limited_ || !trim_.whole_leaves) return;
    // A hundred leaves' worth, so that no single call trims for long.
    const std::int64_t entries = settings.stream_node_max_entries.get();
    const std::int64_t most = entries > 10'000 ? 1'000'000 : entries * 100;
    trim_.limit = static_cast<std::uint64_t>(most > 0 ? most : 10'000);
  }

  bool given() const { return trim_.by != types::StreamTrim::By::nothing; }
  const types::StreamTrim& trim() const { return trim_; }

 private:
  void begin(ArgReader& args, types::StreamTrim::By by) {
    if (given()) {
      args.fail("ERR syntax error, MAXLEN and MINID options at the same time are not compatible");
    }
    trim_.by = by;
    trim_.whole_leaves = args.accept_with("~", 1);
    if (!trim_.whole_leaves) args.accept_with("=", 1);
  }

  types::StreamTrim trim_;
  bool limited_ = false;
};

}  // namespace slotcar::commands
