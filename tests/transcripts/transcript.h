// Transcripts: the tests beside each command (src/commands/GROUP/NAME.test), as text:
// what is sent, and the reply in the form of resp/format.h. The format:
//
//   # comment                     blank lines separate
//   > SET k v                     sent on the default connection; B> GET k on one named B
//   +OK                           the reply: up to a blank line, a comment, a command, a directive
//
//   B<                            arrives without a request: a message, a second reply; its form
//                                 follows as for a reply
//
// Patterns in replies: `-ERR *` (a glob), `~glob` over the text of a string or integer, (any),
// (int), (range 95 100). A first line (unordered) makes the order of the array's items irrelevant.
// (close) after the reply, or alone: the server closes the connection. (none): no reply comes.
//
//   @wait 20ms                    lets time pass; also us and s
//   @blocked 2                    until this many clients are blocked (BLPOP and the like)
//   @config name value            for the rest of the file
//   @not WORLD: reason            at the top: the file is not played in that world
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "resp/value.h"
#include "runtime/clock.h"

namespace slotcar::transcripts {

// The expected form of a reply, or of an item of one.
struct Pattern {
  enum class Kind : std::uint8_t { line, error, glob, any, integer, range, array };
  Kind kind = Kind::any;
  std::string
      text;  // of a line as resp::format prints it; of an error and of a glob without - or ~
  std::int64_t least = 0;
  std::int64_t most = 0;
  std::vector<Pattern> items;
  bool unordered = false;
};

struct Step {
  enum class Kind : std::uint8_t { command, arrival, wait, blocked, config };
  Kind kind = Kind::command;
  int line = 0;
  std::string text;  // as written

  std::string connection;          // a command's, an arrival's; empty: the default one
  std::vector<std::string> words;  // a command's; name and value of a setting
  runtime::Nanos duration = 0;     // a wait's
  std::int64_t clients = 0;        // that must be blocked

  bool replies = true;  // false: (none), or nothing before (close)
  bool closes = false;
  Pattern reply;
  std::string reply_text;  // as written
};

struct Transcript {
  std::string file;
  std::map<std::string, std::string> not_in;  // world: reason
  std::vector<Step> steps;
};

// The error names the line.
Result<Transcript> parse(std::string_view text, const std::string& file);
Result<Transcript> parse_file(const std::string& path);

// The lines of one reply, which are not empty.
Result<Pattern> parse_reply(const std::vector<std::string>& lines);

bool matches(const Pattern& pattern, const resp::Value& value);

}  // namespace slotcar::transcripts
