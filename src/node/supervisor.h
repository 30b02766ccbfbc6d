// `supervised systemd`: reports the server's state to the service manager that started it.
#pragma once

#include <string_view>

#include "base/result.h"

namespace slotcar::node {

// Whether a service manager wants notifications (NOTIFY_SOCKET in the environment).
bool has_supervisor();

// Sends it lines like "READY=1".
Status notify_supervisor(std::string_view lines);

}  // namespace slotcar::node
