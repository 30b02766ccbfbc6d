#include "runtime/real/real_random.h"

#include <sys/random.h>

#include <cerrno>

#include "base/assert.h"

namespace slotcar::runtime {

std::uint64_t RealRandom::next() {
  std::uint64_t value = 0;
  for (;;) {
    const ssize_t got = ::getrandom(&value, sizeof value, 0);
    if (got == static_cast<ssize_t>(sizeof value)) return value;
    // Eight bytes are given whole or not at all; only a signal during early boot interrupts.
    // A kernel without getrandom cannot run this server.
    ASSERT(got < 0 && errno == EINTR);
  }
}

}  // namespace slotcar::runtime
