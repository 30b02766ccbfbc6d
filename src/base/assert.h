// ASSERT: our own mistakes end the process at once, in every build. The user's mistakes are
// replies and the world's failures are Results; neither ever reaches an ASSERT.
#pragma once

namespace slotcar::base {
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);
}

#define ASSERT(condition)                            \
  (__builtin_expect(static_cast<bool>(condition), 1) \
       ? static_cast<void>(0)                        \
       : ::slotcar::base::assertion_failed(#condition, __FILE__, __LINE__))

#define UNREACHABLE() ::slotcar::base::assertion_failed("unreachable", __FILE__, __LINE__)
