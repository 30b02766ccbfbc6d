// enable-debug-command, enable-module-command and enable-protected-configs: no, yes, or from this
// machine only.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "node/configuration.h"
#include "node/node.h"

namespace slotcar::commands {

inline bool comes_from_here(const session::ClientRecord& record) {
  return record.is_unix || record.address.starts_with("127.") ||
         record.address.starts_with("[::1]:");
}

inline bool protected_action_allowed(node::Node& node, std::string_view setting, ClientId client) {
  const std::string value = node.configuration().value(setting);
  if (value != "local") return value == "yes";
  const auto record = node.clients().find(client);
  return record != nullptr && comes_from_here(*record);
}

inline std::string protected_action_error(std::string_view command, std::string_view setting) {
  return fmt::format(
      "ERR {} command not allowed. If the {} option is set to \"local\", you can run it from a "
      "local connection, otherwise you need to set this option in the configuration file, and then "
      "restart the server.",
      command, setting);
}

}  // namespace slotcar::commands
