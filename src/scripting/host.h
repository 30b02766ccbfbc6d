// ScriptHost: what a script can ask of the server that runs it. The interpreter knows no more of
// the server than this, so it is tested without one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "resp/reply_writer.h"

namespace slotcar::scripting {

using Words = std::span<const std::string_view>;

class ScriptHost {
 public:
  virtual ~ScriptHost() = default;

  // `stopped`: the script must not go on; it cannot catch that.
  enum class Ran { replied, stopped };
  // Runs a command of the script. `reply` is one whole RESP value; its bytes are good until the
  // next command.
  virtual Ran run(Words words, resp::Protocol protocol, std::string_view& reply) = 0;
  // Whether the script's user may run that (redis.acl_check_cmd). No value: there is no such
  // command.
  virtual std::optional<bool> may_run(Words words) = 0;
  // redis.log. Levels are Redis's: 0 debug, 1 verbose, 2 notice, 3 warning.
  virtual void log(int level, std::string_view text) = 0;
  // Asked every few thousand instructions. A text that is not empty stops the script with that
  // error.
  virtual std::string_view stop_reason() = 0;
};

}  // namespace slotcar::scripting
