// enable-debug-command and enable-protected-configs: no, yes, or from this machine only.
#pragma once

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

}  // namespace slotcar::commands
