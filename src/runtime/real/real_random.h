// RealRandom: the kernel's generator, fit for secrets. A system call each time: seed a FastRandom
// with it where many numbers are needed. Any thread.
#pragma once

#include "runtime/random.h"

namespace slotcar::runtime {

class RealRandom final : public Random {
 public:
  std::uint64_t next() override;
};

}  // namespace slotcar::runtime
