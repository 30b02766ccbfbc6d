// Publishing: from a thread of the node to all workers that have subscribers.
#pragma once

#include <cstddef>
#include <string_view>

#include "pubsub/message.h"
#include "session/services.h"

namespace slotcar::session {

// Answers how many subscriptions it goes to. Any thread. What one thread publishes arrives in that
// order, and in order with the keyspace events that it emits: each worker's inbox keeps it.
// `here`: the worker whose thread this is, if its subscribers may get the message before this
// returns; null otherwise.
std::size_t publish(Services& services, pubsub::Kind kind, std::string_view channel,
                    std::string_view payload, Worker* here);

}  // namespace slotcar::session
