#include "runtime/system_error.h"

#include <system_error>

namespace slotcar::runtime {

// Not strerror, whose answer threads would share.
Error system_error(const std::string& what, int error) {
  return {what + ": " + std::generic_category().message(error)};
}

}  // namespace slotcar::runtime
