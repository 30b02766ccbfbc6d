#include "base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace slotcar::base {

void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "slotcar: assertion failed: %s at %s:%d\n", condition, file, line);
  std::fflush(stderr);
  std::abort();
}

}  // namespace slotcar::base
