// Waits for a condition that must become true; the limit only ends a hopeless wait.
#pragma once

#include <chrono>
#include <thread>

namespace slotcar::client {

template <class F>
bool eventually(F condition) {
  for (int i = 0; i < 30'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

}  // namespace slotcar::client
