// The reply of every HELP subcommand, in Redis's form: lines as simple strings, the first one
// naming the command, the last two HELP itself.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>

#include "commands/declare.h"

namespace slotcar::commands {

inline void reply_help(Call& call, std::string_view command,
                       std::span<const std::string_view> lines) {
  call.reply().array(lines.size() + 3);
  call.reply().simple(
      fmt::format("{} <subcommand> [<arg> [value] [opt] ...]. Subcommands are:", command));
  for (std::string_view line : lines) call.reply().simple(line);
  call.reply().simple("HELP");
  call.reply().simple("    Prints this help.");
}

}  // namespace slotcar::commands
