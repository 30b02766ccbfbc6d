// Result<T>: a value, or why an outside operation failed. Never for our own mistakes (ASSERT).
#pragma once

#include <string>

#include "slotcar/result.h"

namespace slotcar {

struct Error {
  std::string message;  // for a reply it begins with its code: "ERR syntax error"
};

template <class T>
using Result = BasicResult<T, Error>;
using Status = Result<void>;

}  // namespace slotcar
