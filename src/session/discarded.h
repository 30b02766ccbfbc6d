// What a connection gives up: output that no client will read, commands that MULTI has queued.
// Freeing hundreds of megabytes takes longer than a turn of the loop may, so the worker frees them
// in slices. Until they are gone they count as memory of clients. What is small is freed at once.
//
// The slow lane does not free them: the allocator gives a block back to the thread that it came
// from, and that thread would then go through millions of blocks in one go. Only a single long
// block is freed there.
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
