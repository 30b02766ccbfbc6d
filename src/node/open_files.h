// How many files the process may have open: connections are files.
#pragma once

#include <cstdint>

namespace slotcar::node {

// Reserved for everything that is not a connection: listeners, event loops, log and data files.
inline constexpr std::int64_t kReservedFiles = 32;

// Asks the system to allow this many clients; returns how many it allows (possibly more), at most
// limits::kClientsMax.
std::int64_t raise_open_files(std::int64_t clients);

}  // namespace slotcar::node
