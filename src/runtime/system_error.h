// The system's message for a failed call, as an Error.
#pragma once

#include <string>

#include "base/result.h"

namespace slotcar::runtime {

// "what: No such file or directory". `error` is an errno.
Error system_error(const std::string& what, int error);

}  // namespace slotcar::runtime
