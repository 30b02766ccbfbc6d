#include "session/publish.h"

#include <memory>
#include <utility>

#include "pubsub/directory.h"
#include "session/worker.h"

namespace slotcar::session {

std::size_t publish(Services& services, pubsub::Message message) {
  const auto receivers = services.directory->receivers(message.kind, message.channel);
  if (receivers.count == 0) return 0;
  if (receivers.workers.count() == 1) {
    const auto at = receivers.workers._Find_first();
    Worker* worker = (*services.workers)[at];
    worker->inbox().put(runtime::make_task(
        [worker, only = std::move(message)] { worker->subscribers().deliver(only); }));
    return receivers.count;
  }
  const auto shared = std::make_shared<const pubsub::Message>(std::move(message));
  for (Worker* worker : *services.workers) {
    if (!receivers.workers.test(worker->id().value)) continue;
    worker->inbox().put(
        runtime::make_task([worker, shared] { worker->subscribers().deliver(*shared); }));
  }
  return receivers.count;
}

}  // namespace slotcar::session
