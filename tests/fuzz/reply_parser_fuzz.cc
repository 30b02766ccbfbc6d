// Whatever a server sends, and however it is cut: the parser returns the same replies and the same
// error as for the stream in one piece, and every reply can be printed.
#include <string>

#include "base/assert.h"
#include "input.h"
#include "resp/format.h"
#include "resp/reply_parser.h"

namespace {

using slotcar::fuzz::Input;
using slotcar::resp::ReplyParser;
using slotcar::resp::Value;

struct Run {
  bool receive(std::string_view bytes) {
    parser.feed(bytes);
    Value value;
    ReplyParser::Outcome outcome;
    while ((outcome = parser.next(value)) == ReplyParser::Outcome::value) {
      transcript += slotcar::resp::format(value) + "\n";
    }
    return outcome == ReplyParser::Outcome::incomplete;
  }

  ReplyParser parser;
  std::string transcript;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Input input(data, size);
  Run whole;
  whole.receive(input.stream());
  Run pieces;
  input.in_pieces([&](std::string_view piece) { return pieces.receive(piece); });
  ASSERT(pieces.transcript == whole.transcript);
  ASSERT(pieces.parser.error() == whole.parser.error());
  return 0;
}
