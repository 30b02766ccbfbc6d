// Publishing: from a thread of the node to all workers that have subscribers, and to the other
// nodes of a cluster. Sharded channels stay with the node of their slot.
#pragma once

#include <cstddef>
#include <string_view>

#include "pubsub/message.h"
#include "session/services.h"

namespace slotcar::session {

// Answers how many subscriptions of this node it goes to. Any thread. What one thread publishes
// arrives in that order, and in order with the keyspace events that it emits: each worker's inbox
// keeps it.
// `here`: the worker whose thread this is, if its subscribers may get the message before this
// returns; null otherwise.
std::size_t publish(Services& services, pubsub::Kind kind, std::string_view channel,
                    std::string_view payload, Worker* here);
// Likewise, but to subscribers of this node alone: another node has published it.
std::size_t publish_here(Services& services, pubsub::Kind kind, std::string_view channel,
                         std::string_view payload, Worker* here);
// Whether a message would go to other nodes as well.
bool reaches_other_nodes(const Services& services, pubsub::Kind kind);

}  // namespace slotcar::session
