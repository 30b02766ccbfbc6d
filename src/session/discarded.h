// What a connection gives up: output that nobody will read, commands that MULTI has queued. To free
// hundreds of megabytes takes longer than a turn of the loop may, so its worker does it in slices;
// until it is gone it counts as memory of clients. What is small is freed on the spot.
//
// Not the slow lane: the allocator gives a block back to the thread that it came from, and that one
// would have to go through millions of them in one go. Only what is one long block goes there.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "runtime/output.h"
#include "session/worker.h"
#include "shard/call.h"

namespace slotcar::session {

// Both are empty afterwards. `bytes`: about what the queue takes.
void discard_output(runtime::Output& output, Worker& worker);
void discard_queue(std::vector<std::unique_ptr<shard::Call>>& queue, std::size_t bytes,
                   Worker& worker);

}  // namespace slotcar::session
