#include "session/publish.h"

#include "pubsub/directory.h"
#include "session/worker.h"

namespace slotcar::session {

std::size_t publish(Services& services, pubsub::Kind kind, std::string_view channel,
                    std::string_view payload) {
  const auto receivers = services.directory->receivers(kind, channel);
  if (receivers.count == 0) return 0;
  const pubsub::Message message(kind, channel, payload);
  for (auto at = receivers.workers._Find_first(); at < receivers.workers.size();
       at = receivers.workers._Find_next(at)) {
    Worker* worker = (*services.workers)[at];
    worker->inbox().put(
        runtime::make_task([worker, message] { worker->subscribers().deliver(message); }));
  }
  return receivers.count;
}

}  // namespace slotcar::session
