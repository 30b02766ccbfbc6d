// What a call costs: counted for its command and thread, and shown to the slow log.
#pragma once

#include <cstdint>

#include "shard/call.h"
#include "shard/thread.h"

namespace slotcar::shard {

// The call has worked for so many cycles and is through, or goes on without its tokens (then it is
// counted at its end). Internal calls are counted nowhere.
void count_call(Thread& thread, Call& call, std::uint64_t cycles);
// Likewise, without the errors of its reply and without the slow log.
void count_run(Thread& thread, const schema::Registered& command, std::uint64_t cycles,
               const ExecutionSettings& settings);
// A call that was refused before it ran; the error is its reply.
void count_rejected(Thread& thread, Call& call);
// The errors in its reply alone: for a reply that is written after the call was counted.
void count_errors(Thread& thread, Call& call);
// Adds to what the call has taken. If that was the last of it and much, it is noted.
void add_cycles(Call& call, std::uint64_t cycles);

}  // namespace slotcar::shard
