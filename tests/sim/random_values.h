// Values of every type as DUMP payloads, from dice: plain ones, and such that no command makes but
// RESTORE accepts (an entry 0-0 or without fields, pending entries that are deleted, delivered in
// the future or counted to the end of numbers, times of fields that are over or beyond what clients
// may give).
#pragma once

#include <string>

#include "runtime/sim/sim_random.h"

namespace slotcar::sim {

// Whether parts of a value may end by themselves, which changes it without a command.
enum class Ends : bool { no, yes };

std::string random_payload(runtime::SimDice& dice, Ends ends);

}  // namespace slotcar::sim
