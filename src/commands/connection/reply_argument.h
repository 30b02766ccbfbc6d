// Answers an argument of the call itself. A big one, which has a buffer of its own, is referred to.
#pragma once

#include "commands/declare.h"

namespace slotcar::commands {

inline void reply_argument(Call& call, std::size_t i) {
  const base::SharedBytes* own = call.arguments().shared(i);
  own != nullptr ? call.reply().bulk(*own) : call.reply().bulk(call.arg(i));
}

}  // namespace slotcar::commands
