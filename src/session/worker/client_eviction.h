// Client eviction (maxmemory-clients): while the connections of all workers take more memory than
// the setting allows, the connection that takes most is closed.
#pragma once

#include "session/services.h"
#include "shard/thread.h"

namespace slotcar::session {

// Every worker calls it, on its own thread, at the end of each turn in which its own connections
// may have grown.
void evict_clients(Services& services, shard::Thread& thread);

}  // namespace slotcar::session
