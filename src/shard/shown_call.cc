#include "shard/shown_call.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "resp/words.h"
#include "schema/secrets.h"

namespace slotcar::shard {

std::string shown_arguments(const Call& call) {
  std::string shown;
  std::size_t left = limits::kMonitoredBytesMax;
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (left == 0) {
      return shown + fmt::format(" \"... ({} more arguments)\"", call.size() - i);
    }
    const bool secret = schema::is_secret_argument(call.declaration(), call.args(), i);
    const std::string_view word = secret ? schema::kRedacted : call.arg(i);
    if (word.size() > left) {
      const std::string beginning =
          fmt::format("{}... ({} more bytes)", word.substr(0, left), word.size() - left);
      shown += " " + resp::quote_word(beginning);
      left = 0;
      continue;
    }
    shown += " " + resp::quote_word(word);
    // An argument costs something even if it is empty.
    left -= std::min(left, word.size() + 1);
  }
  return shown;
}

}  // namespace slotcar::shard
