// `supervised systemd`: tells the service manager that started us how we are.
#pragma once

#include <string_view>

#include "base/result.h"

namespace slotcar::node {

// Whether there is a service manager that wants to be told (NOTIFY_SOCKET in the environment).
bool has_supervisor();

// Sends it lines like "READY=1".
Status notify_supervisor(std::string_view lines);

}  // namespace slotcar::node
