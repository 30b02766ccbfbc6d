// Publishing: from a thread of the node to all workers that have subscribers.
#pragma once

#include <cstddef>

#include "pubsub/message.h"
#include "session/services.h"

namespace slotcar::session {

// Answers how many subscriptions it goes to. `here` is the worker on whose thread this runs, whose
// subscribers get the message at once; null elsewhere. What one thread publishes arrives in that
// order: each worker's mailbox keeps it.
std::size_t publish(Services& services, Worker* here, pubsub::Message message);

}  // namespace slotcar::session
