#include "session/publish.h"

#include <memory>
#include <utility>

#include "pubsub/directory.h"
#include "session/worker.h"

namespace slotcar::session {

std::size_t publish(Services& services, Worker* here, pubsub::Message message) {
  const auto receivers = services.directory->receivers(message.kind, message.channel);
  if (receivers.count == 0) return 0;
  const bool only_here =
      here != nullptr && receivers.workers.count() == 1 && receivers.workers.test(here->id().value);
  if (only_here) {
    here->subscribers().deliver(message);
    return receivers.count;
  }
  const auto shared = std::make_shared<const pubsub::Message>(std::move(message));
  for (Worker* worker : *services.workers) {
    if (!receivers.workers.test(worker->id().value)) continue;
    if (worker == here) {
      worker->subscribers().deliver(*shared);
    } else {
      worker->loop().post(
          runtime::make_task([worker, shared] { worker->subscribers().deliver(*shared); }));
    }
  }
  return receivers.count;
}

}  // namespace slotcar::session
