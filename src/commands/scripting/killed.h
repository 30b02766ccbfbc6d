// What SCRIPT KILL and FUNCTION KILL answer.
#pragma once

#include "commands/declare.h"
#include "eval/scripts.h"

namespace slotcar::commands {

inline void reply_killed(Call& call, eval::Scripts::Killed killed) {
  switch (killed) {
    case eval::Scripts::Killed::ordered:
      return call.reply().ok();
    case eval::Scripts::Killed::none_runs:
      return call.reply().error("NOTBUSY No scripts in execution right now.");
    case eval::Scripts::Killed::has_written:
      return call.reply().error(
          "UNKILLABLE Sorry the script already executed write commands against the dataset. You "
          "can either wait the script termination or kill the server in a hard way using the "
          "SHUTDOWN NOSAVE command.");
  }
}

}  // namespace slotcar::commands
